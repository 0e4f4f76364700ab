package io.steadfs.mds.op.layout;

import io.steadfs.mds.deletion.DatafilesRemoved;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;
import java.util.List;

/**
 * Removes datafiles from the deletion queue after their IO server acknowledged the removal. Answers how many datafiles
 * were removed from the queue.
 */
public final class ForgetDatafiles extends InternalCommand<Integer> {
    private final List<QueuedDatafile> datafiles;

    public ForgetDatafiles(List<QueuedDatafile> datafiles) {
        this.datafiles = List.copyOf(datafiles);
    }

    @Override
    public Decision<Integer> decide(ReadView view, Inputs inputs) {
        return Decision.of(datafiles.size(), new DatafilesRemoved(datafiles));
    }
}
