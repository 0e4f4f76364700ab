package io.steadfs.lab.bench.jobs;

import io.steadfs.wire.Kind;
import java.util.List;
import java.util.Locale;

/** What was counted, as text. */
record JobTable(List<JobCount> counts) {
    JobTable {
        counts = List.copyOf(counts);
    }

    /** A Markdown table with a line for each job: shares of all messages of clients, in percent. */
    String markdown() {
        StringBuilder out = new StringBuilder("""
                | job | messages | write | read | stat | list | create | close | delete | mkdir | rename | others |\
                 directory renamed or removed | directory permission | symbolic link | hierarchical |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """);
        for (JobCount count : counts) {
            List<Long> kinds = List.of(
                    count.of(Kind.WRITE),
                    count.of(Kind.READ),
                    count.of(Kind.STAT),
                    count.of(Kind.LIST) + count.of(Kind.LIST_TREE),
                    count.of(Kind.CREATE),
                    count.of(Kind.CLOSE),
                    count.of(Kind.DELETE),
                    count.of(Kind.MKDIRS),
                    count.of(Kind.RENAME));
            out.append("| ").append(count.job()).append(" | ").append(count.all());
            kinds.forEach(kind -> out.append(" | ").append(percent(kind, count)));
            long others =
                    count.all() - kinds.stream().mapToLong(Long::longValue).sum();
            out.append(" | ").append(percent(others, count));
            List.of(count.names(), count.rows(), count.of(Kind.CREATE_SYMLINK), count.hierarchical())
                    .forEach(hierarchical -> out.append(" | ").append(percent(hierarchical, count)));
            out.append(" |\n");
        }
        return out.toString();
    }

    private static String percent(long part, JobCount count) {
        return String.format(Locale.ROOT, "%.2f", 100.0 * part / Math.max(1, count.all()));
    }

    /** All numbers as comma-separated text. */
    String csv() {
        StringBuilder out = new StringBuilder("job,what,count\n");
        for (JobCount count : counts) {
            count.messages().forEach((kind, number) -> add(out, count, "message " + kind, number));
            add(out, count, "directory names changed", count.names());
            add(out, count, "directory rows changed", count.rows());
        }
        return out.toString();
    }

    private static void add(StringBuilder out, JobCount count, String what, long number) {
        out.append(count.job())
                .append(',')
                .append(what)
                .append(',')
                .append(number)
                .append('\n');
    }
}
