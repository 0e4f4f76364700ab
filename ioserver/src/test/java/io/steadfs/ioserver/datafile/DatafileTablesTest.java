package io.steadfs.ioserver.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Drawing;
import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Rows;
import io.steadfs.store.Table;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of an IO server's tables, the drawing above it and the table in docs/io-server.md have the same tables. */
class DatafileTablesTest {
    private static final PageTable PAGE =
            Page.of("docs/io-server.md").part("On disk").table("table", "key", "value", "there is a row");
    private static final Drawing COMMENT =
            Drawing.ofComment(Page.of("ioserver/src/main/java/io/steadfs/ioserver/datafile/DatafileTables.java"));

    private static List<String> names() {
        return DatafileTables.ALL.stream().map(Table::name).toList();
    }

    @Test
    void eachConstantIsInTheList() throws IllegalAccessException {
        List<Table> constants = new ArrayList<>();
        for (Field field : DatafileTables.class.getFields()) {
            if (field.getType() == Table.class) {
                constants.add((Table) field.get(null));
            }
        }
        assertThat(DatafileTables.ALL).containsExactlyInAnyOrderElementsOf(constants);
    }

    @Test
    void eachTableIsDrawn() {
        Rows.match(COMMENT.where(), names(), COMMENT.names());
        Rows.match(
                PAGE.where(), names(), PAGE.column("table").stream().distinct().toList());
    }

    /** The page tells each key of {@code meta}, the comment only what they look like. */
    @Test
    void bothHaveTheSameKeys() {
        List<String> ofPage = new ArrayList<>();
        for (List<String> row : PAGE.rows()) {
            ofPage.add(row.get(0) + ": " + row.get(1).replace(",", ""));
        }
        ofPage.removeIf(key -> key.startsWith("meta: "));
        List<String> ofComment = new ArrayList<>();
        for (String key : COMMENT.keys()) {
            ofComment.add(key.replaceAll("\\((\\d)\\)", " $1"));
        }
        ofComment.removeIf(key -> key.startsWith("meta: "));
        Rows.match(PAGE.where() + ", as beside the comment of DatafileTables", ofComment, ofPage);
    }
}
