package io.tablecast.load;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Runs one workload, named by the first argument, and prints its figures. */
public final class Load {
  private static final int VALUE_BYTES = Settings.number("value-bytes", 200);
  private static final String LIVE_ONLY = "/ws/load?snapshot=false";

  private final Child broker;
  private final String bootstrap;
  private final Writing writing;
  private final Report report;

  private Load(String scenario) {
    broker = Child.main(BrokerMain.class, List.of("-Xmx1g"));
    bootstrap = broker.await("READY");
    broker.logOutput();
    writing = new Writing(bootstrap, VALUE_BYTES);
    report = new Report(scenario);
  }

  /** The argument is the workload's name. */
  public static void main(String[] args) {
    Load load = new Load(args[0]);
    int status = 1;
    try {
      load.run(args[0]);
      load.report.print();
      status = 0;
    } finally {
      load.writing.close();
      load.broker.close();
      System.exit(status);
    }
  }

  private void run(String workload) {
    switch (workload) {
      case "rebuild" -> rebuild(Settings.number("records", 1_250_000));
      case "growth" -> growth();
      case "start" -> start();
      case "fanout" -> fanout(List.of(Subject::nettyLimit, Subject::tablecast));
      case "per-change" -> fanout(List.of(Subject::perChange, Subject::tablecast));
      case "snapshot" -> snapshot();
      case "idle" -> idle();
      case "filtered" -> filtered();
      case "stalled" -> stalled();
      case "memory" -> memory();
      default -> throw new IllegalArgumentException("no workload " + workload);
    }
  }

  // ---- catching up

  private void rebuild(int records) {
    writing.createTopic(Data.TOPIC, Settings.number("partitions", 4));
    writing.history(Data.TOPIC, records);
    for (int i = 0; i < Settings.rounds(); i++) {
      rebuildOnce("");
    }
  }

  private void rebuildOnce(String suffix) {
    bare("poll loop" + suffix, Child.main(BareLoop.class, List.of(), "poll", bootstrap));
    bare("HashMap" + suffix, Child.main(BareLoop.class, List.of(), "map", bootstrap));
    if (!Boolean.getBoolean("load.no-streams")) {
      bare("GlobalKTable in memory" + suffix, Child.main(GlobalTable.class, List.of(), bootstrap));
    }
    try (Subject s = Subject.tablecast(bootstrap)) {
      report.add("tablecast" + suffix, "ready s", s.readySeconds());
      report.add("tablecast" + suffix, "reading s", s.readingSeconds());
      report.add("tablecast" + suffix, "CPU s", s.process().cpuSeconds());
      report.add("tablecast" + suffix, "RSS MB", s.process().rss() / 1e6);
      report.add("tablecast" + suffix, "peak RSS MB", s.process().peakRss() / 1e6);
      report.add("tablecast" + suffix, "table MB", s.metric("tablecast_table_bytes") / 1e6);
      report.add("tablecast" + suffix, "keys", s.metric("tablecast_table_keys"));
    }
  }

  private void bare(String name, Child process) {
    try (process) {
      String[] done = process.await("DONE").split(" ");
      report.add(name, "reading s", Long.parseLong(done[1]) / 1e9);
      report.add(name, "ready s", (System.nanoTime() - process.startedAt()) / 1e9);
      report.add(name, "CPU s", process.cpuSeconds());
      report.add(name, "RSS MB", process.rss() / 1e6);
    }
  }

  /**
   * The time to catch up by the number of records: the slope is what is read each second once
   * running.
   */
  private void growth() {
    writing.createTopic(Data.TOPIC, Settings.number("partitions", 4));
    int step = Settings.number("records", 1_250_000) / 2;
    for (int records = step; records <= 4 * step; records += step) {
      writing.history(Data.TOPIC, step);
      for (int i = 0; i < Settings.rounds(); i++) {
        rebuildOnce(" " + records);
      }
    }
  }

  /**
   * From exec to ready by the number of keys; {@code load.native} and {@code load.jvm} choose what
   * is started.
   */
  private void start() {
    writing.createTopic(Data.TOPIC, 1);
    for (int keys : new int[] {0, 100_000, 1_000_000}) {
      writing.fill(Data.TOPIC, keys);
      for (int i = 0; i < Settings.rounds(); i++) {
        try (Subject s = Subject.tablecast(bootstrap)) {
          String name = "tablecast " + keys;
          report.add(name, "ready ms", s.readySeconds() * 1e3);
          report.add(name, "CPU ms", s.process().cpuSeconds() * 1e3);
          report.add(name, "RSS MB", s.process().rss() / 1e6);
          report.add(name, "peak RSS MB", s.process().peakRss() / 1e6);
        }
      }
    }
  }

  // ---- to all clients

  private void fanout(List<Function<String, Subject>> subjects) {
    int clients = Settings.number("clients", 1000);
    double rate = Settings.number("rate", 1000);
    int keys = Settings.number("keys", 100_000);
    writing.createTopic(Data.TOPIC, 1);
    writing.fill(Data.TOPIC, 1000);
    for (int i = 0; i < Settings.rounds(); i++) {
      for (Function<String, Subject> start : subjects) {
        try (Subject s = start.apply(bootstrap);
            Child swarm = swarm()) {
          connect(swarm, s, clients, LIVE_ONLY);
          deliver(s, swarm, rate, keys, clients);
        }
      }
    }
  }

  private void deliver(Subject s, Child swarm, double rate, int keys, int clients) {
    long before = writing.play(Data.TOPIC, keys, rate, Settings.warmup());
    ask(swarm, "await changes " + before);
    ask(swarm, "reset");
    double cpu = s.process().cpuSeconds();
    long start = System.nanoTime();
    long written = writing.play(Data.TOPIC, keys, rate, Settings.seconds());
    ask(swarm, "await changes " + written);
    double seconds = (System.nanoTime() - start) / 1e9;
    cpu = s.process().cpuSeconds() - cpu;
    Map<String, Long> r = Report.numbers(ask(swarm, "report"));
    report.add(s.name(), "CPU s per million delivered", cpu / r.get("changes") * 1e6);
    report.add(s.name(), "delivered/s", r.get("changes") / seconds);
    report.add(s.name(), "changes per frame", r.get("changes") / (double) r.get("frames"));
    report.add(s.name(), "skipped", r.get("skipped"));
    report.add(s.name(), "lost", (double) written * clients - r.get("changes") - r.get("skipped"));
    latencies(s.name(), r);
    report.add(s.name(), "RSS MB", s.process().rss() / 1e6);
  }

  private void latencies(String name, Map<String, Long> r) {
    report.add(name, "p50 ms", r.get("p50") / 1e3);
    report.add(name, "p99 ms", r.get("p99") / 1e3);
    report.add(name, "p99.9 ms", r.get("p999") / 1e3);
  }

  private static Child swarm() {
    Child swarm =
        Child.main(
            Swarm.class,
            List.of("-Xmx4g", "-Dload.verify=" + Boolean.getBoolean("load.verify")),
            Integer.toString(VALUE_BYTES));
    swarm.await("READY");
    return swarm;
  }

  private static String ask(Child swarm, String command) {
    swarm.tell(command);
    String answer = swarm.await(command.split(" ", 2)[0]);
    if (answer.startsWith("never")) {
      throw new IllegalStateException(command + ": " + answer);
    }
    return answer;
  }

  private static void connect(Child swarm, Subject s, int clients, String path) {
    String open = ask(swarm, "connect " + s.port() + " " + clients + " " + path);
    if (Integer.parseInt(open) < clients) {
      throw new IllegalStateException("only " + open + " clients of " + clients + " connected");
    }
    if (s.isTablecast() && path.startsWith("/ws/")) {
      ask(swarm, "await live 1");
    }
  }

  private static void settle() {
    LockSupport.parkNanos(500_000_000);
  }

  // ---- snapshots

  private void snapshot() {
    int clients = Settings.number("clients", 50);
    writing.createTopic(Data.TOPIC, 1);
    writing.fill(Data.TOPIC, Settings.number("keys", 100_000));
    for (int i = 0; i < Settings.rounds(); i++) {
      for (Function<String, Subject> start :
          List.<Function<String, Subject>>of(Subject::nettyLimit, Subject::tablecast)) {
        try (Subject s = start.apply(bootstrap);
            Child swarm = swarm()) {
          for (int warmup = 0; warmup < Settings.number("warmups", 4); warmup++) {
            snapshotOnce(s, swarm, clients, false);
          }
          snapshotOnce(s, swarm, clients, true);
        }
      }
    }
  }

  private void snapshotOnce(Subject s, Child swarm, int clients, boolean measured) {
    connect(swarm, s, clients, "/ws");
    ask(swarm, "reset");
    double cpu = s.process().cpuSeconds();
    long start =
        Long.parseLong(
            ask(swarm, "send {\"type\":\"subscribe\",\"id\":\"load\",\"table\":\"load\"}"));
    long end = Long.parseLong(ask(swarm, "await live 1"));
    cpu = s.process().cpuSeconds() - cpu;
    Map<String, Long> r = Report.numbers(ask(swarm, "report"));
    ask(swarm, "disconnect");
    if (measured) {
      report.add(s.name(), "MB/s", r.get("bytes") / ((end - start) / 1e9) / 1e6);
      report.add(s.name(), "CPU s per GB", cpu / (r.get("bytes") / 1e9));
      report.add(s.name(), "keys each", r.get("changes") / (double) clients);
      report.add(s.name(), "RSS MB", s.process().rss() / 1e6);
    }
  }

  // ---- memory

  private void idle() {
    int clients = Settings.number("clients", 5000);
    writing.createTopic(Data.TOPIC, 1);
    writing.fill(Data.TOPIC, 1000);
    for (int i = 0; i < Settings.rounds(); i++) {
      for (Function<String, Subject> start :
          List.<Function<String, Subject>>of(Subject::nettyLimit, Subject::tablecast)) {
        try (Subject s = start.apply(bootstrap);
            Child swarm = swarm()) {
          // The first hundred make what is made once.
          connect(swarm, s, 100, LIVE_ONLY);
          long heap = s.process().liveHeap();
          long rss = s.process().rss();
          connect(swarm, s, clients, LIVE_ONLY);
          LockSupport.parkNanos(2_000_000_000L);
          report.add(s.name(), "RSS kB each", (s.process().rss() - rss) / 1e3 / clients);
          report.add(
              s.name(), "live heap kB each", (s.process().liveHeap() - heap) / 1e3 / clients);
          report.add(s.name(), "RSS MB", s.process().rss() / 1e6);
        }
      }
    }
  }

  private void memory() {
    writing.createTopic(Data.TOPIC, 1);
    long empty;
    writing.fill(Data.TOPIC, 1);
    try (Subject s = Subject.tablecast(bootstrap)) {
      empty = s.process().liveHeap();
    }
    int step = Settings.number("keys", 1_000_000) / 4;
    for (int keys = step; keys <= 4 * step; keys += step) {
      writing.fill(Data.TOPIC, keys);
      try (Subject s = Subject.tablecast(bootstrap)) {
        double payload = keys * (16.0 + VALUE_BYTES);
        String name = "tablecast " + keys;
        double live = s.process().liveHeap() - empty;
        report.add(name, "payload MB", payload / 1e6);
        report.add(
            name,
            "table bytes per key over the payload",
            (s.metric("tablecast_table_bytes") - payload) / keys);
        report.add(name, "live heap bytes per key over the payload", (live - payload) / keys);
        report.add(name, "dead MB", s.metric("tablecast_table_dead_bytes") / 1e6);
        report.add(name, "RSS MB", s.process().rss() / 1e6);
      }
    }
  }

  // ---- filters

  private void filtered() {
    int clients = Settings.number("clients", 5000);
    int each = Settings.number("each", 5);
    int keys = Settings.number("keys", 100_000);
    double rate = Settings.number("rate", 5000);
    writing.createTopic(Data.TOPIC, 1);
    writing.fill(Data.TOPIC, keys);
    double delivered = rate * clients * each / keys;
    for (int i = 0; i < Settings.rounds(); i++) {
      try (Subject s = Subject.tablecast(bootstrap);
          Child swarm = swarm()) {
        cpuOf(s, swarm, "no client, same changes", rate, keys, 0);
        ask(swarm, "keyed " + s.port() + " " + clients + " " + each + " " + LIVE_ONLY);
        ask(swarm, "await live 1");
        cpuOf(s, swarm, "filtered", rate, keys, 1);
      }
      try (Subject s = Subject.tablecast(bootstrap);
          Child swarm = swarm()) {
        // As many clients whose keys do not change.
        ask(
            swarm,
            "keyed " + s.port() + " " + clients + " " + each + " " + LIVE_ONLY + "&prefix=other");
        ask(swarm, "await live 1");
        cpuOf(s, swarm, "no key changes", rate, 1, 0);
      }
      try (Subject s = Subject.tablecast(bootstrap);
          Child swarm = swarm()) {
        // As many deliveries of one change each, without a filter.
        connect(swarm, s, Math.min(clients, (int) delivered), LIVE_ONLY);
        cpuOf(
            s,
            swarm,
            "unfiltered, one change per frame",
            Math.max(1, delivered / clients),
            keys,
            1);
      }
    }
  }

  private void cpuOf(Subject s, Child swarm, String name, double rate, int keys, int wanted) {
    writing.play(Data.TOPIC, keys, rate, Settings.warmup());
    settle();
    ask(swarm, "reset");
    double cpu = s.process().cpuSeconds();
    long written = writing.play(Data.TOPIC, keys, rate, Settings.seconds());
    settle();
    cpu = s.process().cpuSeconds() - cpu;
    report.add(name, "CPU share of a core", cpu / Settings.seconds());
    report.add(name, "CPU s per million changes written", cpu / written * 1e6);
    if (wanted > 0) {
      Map<String, Long> r = Report.numbers(ask(swarm, "report"));
      report.add(name, "delivered/s", r.get("changes") / (double) Settings.seconds());
      report.add(name, "changes per frame", r.get("changes") / (double) r.get("frames"));
      report.add(name, "CPU s per million delivered", cpu / r.get("changes") * 1e6);
      latencies(name, r);
    }
  }

  // ---- a reader that does not read

  private void stalled() {
    int clients = Settings.number("clients", 100);
    int keys = Settings.number("keys", 10_000);
    double rate = Settings.number("rate", 5000);
    writing.createTopic(Data.TOPIC, 1);
    writing.fill(Data.TOPIC, keys);
    System.setProperty("load.verify", "true");
    for (int i = 0; i < Settings.rounds(); i++) {
      try (Subject s = Subject.tablecast(bootstrap);
          Child swarm = swarm()) {
        connect(swarm, s, clients, "/ws/load");
        writing.play(Data.TOPIC, keys, rate, Settings.warmup());
        settle();
        ask(swarm, "reset");
        writing.play(Data.TOPIC, keys, rate, Settings.seconds());
        settle();
        latencies("none stalled", Report.numbers(ask(swarm, "report")));
        System.out.println(s.process().jcmd("GC.run"));
        long rss = s.process().rss();
        long heap = s.process().liveHeap();
        ask(swarm, "stall 0");
        ask(swarm, "reset");
        writing.play(Data.TOPIC, keys, rate, Settings.seconds());
        settle();
        latencies("one stalled", Report.numbers(ask(swarm, "report")));
        report.add("one stalled", "live heap growth MB", (s.process().liveHeap() - heap) / 1e6);
        report.add("one stalled", "RSS growth MB", (s.process().rss() - rss) / 1e6);
        ask(swarm, "resume 0");
        LockSupport.parkNanos(3_000_000_000L);
        String table = ask(swarm, "digest 0");
        report.add("one stalled", "right in the end", table.equals(expected(s)) ? 1 : 0);
      }
    }
  }

  /** What a client that has just come is told. */
  private static String expected(Subject s) {
    try (Child fresh = swarm()) {
      connect(fresh, s, 1, "/ws/load");
      return ask(fresh, "digest 0");
    }
  }
}
