package io.steadfs.ioserver.duty;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.file.DataFile;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.store.ReadView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the files agree with the rows, before the server answers anything. Files without a row are deleted: the server stopped between a
 * commit and the deletion, or before a new file's commit. Files longer than their row are cut: the rest was never acknowledged as durable.
 * A file shorter than its row, or whose row cannot be read, is damage: it is reported and left.
 */
public final class SweepFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SweepFiles.class);
    private static final int MOST_PROBLEMS = 100;

    private final DataFiles disk;
    private final ReadView rows;
    private final boolean keep;
    private final List<String> problems = new ArrayList<>();
    private long deleted;
    private long cut;

    /** @param keep whether to delete and cut nothing, because rows may be lost or old, so that the bytes are all that is left */
    public SweepFiles(DataFiles disk, ReadView rows, boolean keep) {
        this.disk = disk;
        this.rows = rows;
        this.keep = keep;
    }

    /**
     * Checks every file once.
     *
     * @return damage found, at most {@value #MOST_PROBLEMS} lines
     */
    public List<String> run() throws IOException {
        disk.visit(this::check);
        if (deleted + cut > 0) {
            LOG.info("{} files without a row deleted, {} files cut to their rows", deleted, cut);
        }
        return List.copyOf(problems);
    }

    private void check(Handle handle, long sizeBytes) throws IOException {
        Optional<DatafileRow> row;
        try {
            row = DatafileRows.find(rows, handle).filter(DatafileRow::inFile);
        } catch (UnreadableDatafileException e) {
            report(e.getMessage() + "; its file " + disk.locationOf(handle) + " is left as it is");
            return;
        }
        if (row.isEmpty() && keep) {
            report("file " + disk.locationOf(handle) + " of " + sizeBytes
                    + " bytes has no row, which may be lost; it is kept until the salvaged store is settled");
        } else if (row.isEmpty()) {
            disk.delete(handle);
            deleted++;
        } else if (sizeBytes > row.get().length() && keep) {
            report("file " + disk.locationOf(handle) + " has " + sizeBytes + " bytes, its row says "
                    + row.get().length() + " and may be of before; it is kept until the salvaged store is settled");
        } else if (sizeBytes > row.get().length()) {
            try (DataFile file = disk.open(handle)) {
                file.truncate(row.get().length());
            }
            cut++;
        } else if (sizeBytes < row.get().length()) {
            report("datafile " + handle + " in " + disk.locationOf(handle) + " has " + sizeBytes
                    + " bytes, its row says " + row.get().length());
        }
    }

    private void report(String problem) {
        LOG.error(problem);
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(problem);
        }
    }
}
