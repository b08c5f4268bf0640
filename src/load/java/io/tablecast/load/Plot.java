package io.tablecast.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws the tables of a directory: each {@code name.csv} as {@code name.svg} beside it. A file's
 * first line is {@code title;name of the y axis}, its second names the columns, the first of which
 * is the x axis.
 */
final class Plot {
  private Plot() {}

  /** The argument is the directory. */
  public static void main(String[] args) throws IOException {
    System.setProperty("java.awt.headless", "true");
    try (Stream<Path> files = Files.list(Path.of(args[0]))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
        draw(file);
      }
    }
  }

  private static void draw(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file).stream().filter(l -> !l.isBlank()).toList();
    String[] titles = lines.get(0).split(";");
    String[] columns = lines.get(1).split(",");
    XYChart chart =
        new XYChartBuilder()
            .width(480)
            .height(320)
            .theme(ChartTheme.Matlab)
            .title(titles[0])
            .xAxisTitle(columns[0])
            .yAxisTitle(titles[1])
            .build();
    chart.getStyler().setPlotGridLinesVisible(false); // dashes are large as vectors
    chart.getStyler().setYAxisMin(0.0).setXAxisMin(0.0).setLegendPosition(LegendPosition.InsideSE);
    List<double[]> rows = new ArrayList<>();
    lines.subList(2, lines.size()).forEach(l -> rows.add(numbers(l)));
    for (int column = 1; column < columns.length; column++) {
      chart.addSeries(columns[column], column(rows, 0), column(rows, column));
    }
    String to = file.toString().replaceAll("\\.csv$", ".svg");
    VectorGraphicsEncoder.saveVectorGraphic(chart, to, VectorGraphicsFormat.SVG);
    System.out.println(to);
  }

  private static double[] numbers(String line) {
    return Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  private static double[] column(List<double[]> rows, int column) {
    return rows.stream().mapToDouble(r -> r[column]).toArray();
  }
}
