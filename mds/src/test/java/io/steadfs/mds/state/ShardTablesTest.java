package io.steadfs.mds.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Drawing;
import io.steadfs.pages.Page;
import io.steadfs.pages.Rows;
import io.steadfs.store.Table;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of a shard's tables, the drawing above it and the one in docs/metadata-server.md have the same tables. */
class ShardTablesTest {
    private static final Drawing PAGE =
            Drawing.of(Page.of("docs/metadata-server.md").part("Tables and keys"));
    private static final Drawing COMMENT =
            Drawing.ofComment(Page.of("mds/src/main/java/io/steadfs/mds/state/ShardTables.java"));

    private static List<String> names() {
        return ShardTables.ALL.stream().map(Table::name).toList();
    }

    @Test
    void eachConstantIsInTheList() throws IllegalAccessException {
        List<Table> constants = new ArrayList<>();
        for (Field field : ShardTables.class.getFields()) {
            if (field.getType() == Table.class) {
                constants.add((Table) field.get(null));
            }
        }
        assertThat(ShardTables.ALL).containsExactlyInAnyOrderElementsOf(constants);
    }

    @Test
    void eachTableIsDrawn() {
        Rows.match(COMMENT.where(), names(), COMMENT.names());
        Rows.match(PAGE.where(), names(), PAGE.names());
    }

    /** The page tells each key of {@code meta}, the comment only what they look like. */
    @Test
    void bothDrawingsHaveTheSameKeys() {
        Rows.match(
                PAGE.where() + ", as beside the comment of ShardTables",
                keysBut(COMMENT, "meta: "),
                keysBut(PAGE, "meta: "));
    }

    private static List<String> keysBut(Drawing drawing, String beginning) {
        return drawing.keys().stream().filter(key -> !key.startsWith(beginning)).toList();
    }
}
