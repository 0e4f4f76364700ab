package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.SalvageReport;
import java.util.List;

/**
 * Describes the objects whose rows a salvage lost. The description names handles, because only the metadata servers
 * know paths.
 */
public final class DatafileSalvage {
    private static final List<Table> BY_DATAFILE = List.of(
            DatafileTables.DATAFILE,
            DatafileTables.UNCONFIRMED,
            DatafileTables.GONE,
            DatafileTables.SMALL,
            DatafileTables.CHUNKS);

    private DatafileSalvage() {}

    public static void tellPlaces(SalvageReport report) {
        for (SalvageReport.Lost each : report.lost()) {
            boolean isOfFiles = each.table().equals(DatafileTables.COLUMN.name());
            if (isOfFiles || BY_DATAFILE.stream().anyMatch(table -> table.name().equals(each.table()))) {
                report.tellPlace(
                        each,
                        (isOfFiles ? "files" : "datafiles") + " with handles from " + new Handle(each.firstNumber())
                                + " to " + new Handle(each.lastNumber()) + ", path unknown until fsck");
            }
        }
    }
}
