package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Slots;
import java.io.IOException;
import java.util.Optional;

/** Finds the datafile that an earlier try made for a column, so that no second datafile is made. */
final class NewestColumn {
    private NewestColumn() {}

    /**
     * Returns the datafile if it was made with this generation or a later one; else empty. A datafile of an older
     * generation belongs to nobody any more.
     *
     * @throws IOException if the column's row cannot be decoded, or if the row names a datafile of another column
     */
    static Optional<OpenDatafile> find(Batch batch, Handle metafile, int index, long generation) throws IOException {
        Optional<Handle> newest = batch.findColumn(metafile, index);
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        // A wrong row may name another column's datafile. Such a row must lead neither to that datafile's bytes nor to
        // a datafile of another lane.
        Handle named = newest.get();
        if (Slots.ofDatafile(named) != Slots.ofColumn(metafile, index)) {
            throw foreign(named, metafile, index);
        }
        Optional<OpenDatafile> open = batch.open(named);
        if (open.isPresent()
                && (!open.get().row().metafile().equals(metafile)
                        || open.get().row().index() != index)) {
            throw foreign(named, metafile, index);
        }
        return open.filter(datafile -> datafile.row().madeGeneration() >= generation);
    }

    private static UnreadableDatafileException foreign(Handle datafile, Handle metafile, int index) {
        return new UnreadableDatafileException(
                datafile,
                "the row of column " + index + " of metafile " + metafile + " names it, but it belongs to another");
    }
}
