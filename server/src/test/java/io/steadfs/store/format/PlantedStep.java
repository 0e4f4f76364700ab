package io.steadfs.store.format;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A step that puts its new number before the value of each row, and moves the row of every tenth key to another table. */
final class PlantedStep implements FormatStep {
    static final Table ROWS = new Table("rows");
    static final Table MOVED = new Table("moved");
    static final Table FACTS = new Table("meta");
    static final List<Table> TABLES = List.of(ROWS, MOVED, FACTS);

    private static final byte[] END = {-1};

    private final long from;

    PlantedStep(long from) {
        this.from = from;
    }

    @Override
    public long from() {
        return from;
    }

    @Override
    public void change(ReadView rows, FormatChanges changes) throws IOException {
        for (Table table : List.of(ROWS, MOVED)) {
            try (ReadView.Cursor cursor = rows.scan(table, new byte[0], END)) {
                while (cursor.next()) {
                    change(table, cursor.key(), cursor.value(), changes);
                }
            }
        }
    }

    private void change(Table table, byte[] key, byte[] value, FormatChanges changes) throws IOException {
        String text = new String(value, StandardCharsets.US_ASCII);
        String prefix = from + 1 + ",";
        if (text.startsWith(prefix)) {
            return;
        }
        boolean isMoved = from == FormatSteps.FIRST && key[key.length - 1] == '0';
        changes.together(view -> {
            view.put(isMoved ? MOVED : table, key, (prefix + text).getBytes(StandardCharsets.US_ASCII));
            if (isMoved) {
                view.delete(table, key);
            }
        });
    }
}
