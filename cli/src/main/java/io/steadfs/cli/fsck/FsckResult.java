package io.steadfs.cli.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.cli.report.Printable;
import io.steadfs.cli.report.TextTable;
import io.steadfs.fsck.Check;
import io.steadfs.fsck.Finding;
import io.steadfs.fsck.FindingKind;
import io.steadfs.fsck.Repaired;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param counts number of all findings, by kind
 * @param findings the findings to print
 * @param repairs the repairs to print
 * @param repaired number of findings that were repaired
 * @param tookAway whether a repair removed rows that no server could read. After the repair, the bytes of such rows are
 * only in the stored work or in the printed output.
 * @param rows number of rows that this run looked at
 */
record FsckResult(
        Map<FindingKind, Long> counts,
        List<Shown> findings,
        List<Repaired> repairs,
        long repaired,
        boolean tookAway,
        Check.Result ended,
        long rows,
        double seconds) {
    /** @param path path of the object; empty if no path is known */
    record Shown(Finding finding, String path) {}

    long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("complete", ended.isComplete());
        fields.put("problems", ended.problems());
        fields.put("undecided", ended.undecided());
        fields.put("rows", rows);
        fields.put("seconds", seconds);
        Map<String, Object> byKind = new LinkedHashMap<>();
        counts.forEach((kind, count) -> byKind.put(kind.label(), count));
        fields.put("counts", byKind);
        fields.put("repaired", repaired);
        fields.put("repairs", repairs.stream().map(FsckResult::fields).toList());
        fields.put("findings", findings.stream().map(FsckResult::fields).toList());
        return fields;
    }

    private static Map<String, ?> fields(Shown shown) {
        Map<String, Object> fields = new LinkedHashMap<>(fields(shown.finding()));
        fields.put("path", shown.path());
        return fields;
    }

    private static Map<String, ?> fields(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", finding.kind().label());
        fields.put("server", finding.server());
        fields.put("object", finding.object().isNone() ? "" : finding.object().toString());
        fields.put("other", finding.other().isNone() ? "" : finding.other().toString());
        fields.put("table", finding.table().label());
        fields.put("key", hex(finding.key()));
        fields.put("until", hex(finding.until()));
        fields.put("what", finding.what());
        return fields;
    }

    private static Map<String, ?> fields(Repaired repair) {
        Map<String, Object> fields = new LinkedHashMap<>(fields(repair.finding()));
        fields.put("repaired", repair.isRepaired());
        fields.put("done", repair.what());
        fields.put("removed", hex(repair.removed()));
        return fields;
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    /** Describes the place of a finding: the object, or the row if no object is known. */
    private static String place(Finding finding) {
        if (finding.kind() == FindingKind.DAMAGED_FILE) {
            return finding.key().toStringUtf8();
        }
        return finding.object().isNone()
                ? "row " + hex(finding.key())
                : finding.object().toString();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        if (!findings.isEmpty()) {
            TextTable table = new TextTable(5, "finding", "server", "object", "path", "what");
            findings.forEach(each -> table.row(
                    each.finding().kind().label(),
                    each.finding().server(),
                    place(each.finding()),
                    each.path(),
                    each.finding().what()));
            text.append(table).append('\n');
        }
        if (findings.size() < total()) {
            text.append("only ")
                    .append(findings.size())
                    .append(" of ")
                    .append(total())
                    .append(" are shown\n");
        }
        counts.forEach((kind, count) -> {
            if (count > 0) {
                text.append(kind.label())
                        .append(": ")
                        .append(count)
                        .append(" (")
                        .append(kind.meaning())
                        .append(")\n");
            }
        });
        repairs.forEach(each -> text.append(each.isRepaired() ? "repaired " : "NOT repaired ")
                .append(each.finding().kind().label())
                .append(' ')
                .append(place(each.finding()))
                .append(": ")
                .append(Printable.of(each.what()))
                .append(each.removed().isEmpty() ? "" : ": " + hex(each.removed()))
                .append('\n'));
        ended.problems()
                .forEach((stage, why) -> text.append(stage)
                        .append(" could not be checked to the end: ")
                        .append(Printable.of(why))
                        .append('\n'));
        if (ended.undecided() > 0) {
            text.append(ended.undecided()).append(" objects changed whenever they were looked at\n");
        }
        text.append(String.format(Locale.ROOT, "%d rows in %.1f s: ", rows, seconds));
        text.append(total() == 0 ? "nothing found to be wrong" : total() + " findings")
                .append(repaired > 0 ? ", " + repaired + " repaired" : "")
                .append(ended.isComplete() ? "" : ", but not all was checked")
                .append('\n');
        return text.toString();
    }
}
