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
 * Makes files and rows agree, before the server answers anything. Three cases differ:
 *
 * <ul>
 *   <li>A file without a row is deleted. Such a file is left if the server stopped between a commit and the deletion,
 *       or before it committed a new file.
 *   <li>A file that is longer than its row says is cut. The bytes beyond the row's length were never acknowledged as
 *       durable.
 *   <li>A file is damaged if it is shorter than its row says or if its row cannot be read. A damaged file is reported
 *       and left as it is.
 * </ul>
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

    /**
     * @param keep true = deletes and cuts nothing, because rows may be lost or old, so that the files may be all that
     *     is left
     */
    public SweepFiles(DataFiles disk, ReadView rows, boolean keep) {
        this.disk = disk;
        this.rows = rows;
        this.keep = keep;
    }

    /**
     * Checks every file once.
     *
     * @return the damage that was found, at most {@value #MOST_PROBLEMS} lines
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
                    + row.get().length() + " but may be old; it is kept until the salvaged store is settled");
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
