package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * Says that the names which a directory was giving stay, so that they can change again. Answers whether they stay: not
 * while an intent that gives them is undecided.
 */
public final class EndGiving extends InternalCommand<Boolean> {
    private final Handle directory;

    public EndGiving(Handle directory) {
        this.directory = directory;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        if (Intents.ofRequest(view, 0, directory.value()).isPresent()) {
            return Decision.of(false);
        }
        List<LogRecord> records = new ArrayList<>();
        if (Givings.isThere(view, directory)) {
            records.add(GivingGone.kept(directory));
        }
        Directories.find(view, directory)
                .filter(row -> row.hasGiving())
                .ifPresent(row -> records.add(new DirectorySet(
                        directory, row.toBuilder().clearGiving().build())));
        return new Decision<>(records, true);
    }
}
