package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Slots;
import java.io.IOException;
import java.util.Optional;

/** What an earlier try made for a column: how whoever makes a column's datafile finds that it was made. */
final class NewestColumn {
    private NewestColumn() {}

    /**
     * Made under this generation or a later one; a datafile of an older one is nobody's any more.
     *
     * @throws IOException if the column's row is none, or names a datafile that is not of the column
     */
    static Optional<OpenDatafile> find(Batch batch, Handle metafile, int index, long generation) throws IOException {
        Optional<Handle> newest = batch.findColumn(metafile, index);
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        // A row that names another column's datafile must not lead to its bytes, nor to one that another lane owns.
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
                "the row of column " + index + " of metafile " + metafile + " names it, and it is not of that");
    }
}
