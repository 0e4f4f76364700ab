package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.lane.Batch;
import java.io.IOException;
import java.util.Optional;

/** What an earlier try made for a column: how whoever makes a column's datafile finds that it was made. */
final class NewestColumn {
    private NewestColumn() {}

    /** Made under this generation or a later one; a datafile of an older one is nobody's any more. */
    static Optional<OpenDatafile> find(Batch batch, Handle metafile, int index, long generation) throws IOException {
        Optional<Handle> newest = batch.findColumn(metafile, index);
        Optional<OpenDatafile> open = newest.isEmpty() ? Optional.empty() : batch.open(newest.get());
        return open.filter(datafile -> datafile.row().madeGeneration() >= generation);
    }
}
