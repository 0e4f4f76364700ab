package io.steadfs.cli.fsck;

import io.steadfs.fsck.RowTable;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.pages.Rows;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A finding can name each table of a shard and of an IO server. A check knows neither, so it has a list of its own. */
class RowTableTest {
    @Test
    void eachTableOfServersHasAName() {
        List<String> declared = Stream.concat(ShardTables.ALL.stream(), DatafileTables.ALL.stream())
                .map(Table::name)
                .distinct()
                .toList();
        List<String> named = Arrays.stream(RowTable.values())
                .filter(table -> table != RowTable.NONE)
                .map(RowTable::label)
                .toList();
        Rows.match("RowTable", declared, named);
    }
}
