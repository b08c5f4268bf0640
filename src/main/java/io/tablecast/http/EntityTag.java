package io.tablecast.http;

import io.tablecast.table.RecordView;
import io.tablecast.table.TopicId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Entity tags (RFC 9110, section 8.8.3): the same record has the same tag on every replica. */
final class EntityTag {
  private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");

  private EntityTag() {}

  /**
   * The tag of a record; the topic's id keeps apart what two topics of one name held at the same
   * offset.
   */
  static String of(TopicId topic, RecordView record) {
    return "\"%d-%d-%x\""
        .formatted(record.partition(), record.offset(), topic.high() ^ topic.low());
  }

  /**
   * Whether an {@code If-None-Match} names the tag: a list or {@code *}, compared weakly as section
   * 13.1.2 says.
   */
  static boolean noneMatchNames(String header, String tag) {
    if (header.trim().equals("*")) {
      return true;
    }
    Matcher tags = TAG.matcher(header);
    while (tags.find()) {
      if (tag.equals(tags.group(1))) {
        return true;
      }
    }
    return false;
  }
}
