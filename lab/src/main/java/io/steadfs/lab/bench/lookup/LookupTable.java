package io.steadfs.lab.bench.lookup;

import java.util.List;

/** What was counted, as text. */
record LookupTable(List<LookupRow> rows) {
    LookupTable {
        rows = List.copyOf(rows);
    }

    /** A Markdown table with a line for each number of shards, depth and operation. */
    String markdown() {
        StringBuilder out = new StringBuilder("""
                | shards | depth | operation | component: cold | warm | direct: cold | warm | of warm direct at shard 0 |
                |---:|---:|---|---:|---:|---:|---:|---:|
                """);
        for (int i = 0; i + 1 < rows.size(); i += LookupBench.LOOKUPS.size()) {
            LookupRow component = rows.get(i);
            LookupRow direct = rows.get(i + 1);
            out.append("| ")
                    .append(component.shards())
                    .append(" | ")
                    .append(component.depth())
                    .append(" | ")
                    .append(component.operation().title)
                    .append(" | ")
                    .append(component.cold().text())
                    .append(" | ")
                    .append(component.warm().text())
                    .append(" | ")
                    .append(direct.cold().text())
                    .append(" | ")
                    .append(direct.warm().text())
                    .append(" | ")
                    .append(direct.warm().first())
                    .append(" |\n");
        }
        return out.toString();
    }

    /** All numbers as comma-separated text. */
    String csv() {
        StringBuilder out =
                new StringBuilder("shards,depth,operation,lookup,client,from_client,between_shards,at_shard_0\n");
        for (LookupRow row : rows) {
            add(out, row, "cold", row.cold());
            add(out, row, "warm", row.warm());
        }
        return out.toString();
    }

    private static void add(StringBuilder out, LookupRow row, String client, LookupCount count) {
        out.append(row.shards())
                .append(',')
                .append(row.depth())
                .append(',')
                .append(row.operation().title)
                .append(',')
                .append(row.lookup())
                .append(',')
                .append(client)
                .append(',')
                .append(count.client())
                .append(',')
                .append(count.shards())
                .append(',')
                .append(count.first())
                .append('\n');
    }
}
