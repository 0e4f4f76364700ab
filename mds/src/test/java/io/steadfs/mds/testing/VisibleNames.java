package io.steadfs.mds.testing;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.store.ReadView;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** Under which of some names a reader would find an object at this moment, by what the shards have committed. */
public final class VisibleNames {
    private VisibleNames() {}

    /** A name in a directory. */
    public record Name(Handle directory, String name) {}

    /** @param committed state of a shard */
    public static List<Name> of(Handle object, List<Name> names, IntFunction<ReadView> committed) {
        return names.stream().filter(name -> shows(name, object, committed)).toList();
    }

    private static boolean shows(Name name, Handle object, IntFunction<ReadView> committed) {
        Optional<DirentRow> row =
                Dirents.find(committed.apply(name.directory().shard()), DirentKey.of(name.directory(), name.name()));
        if (row.isEmpty() || row.get().getHandle() != object.value()) {
            return false;
        }
        return !row.get().hasLock() || !isCommitted(row.get().getLock(), committed);
    }

    private static boolean isCommitted(LockRow lock, IntFunction<ReadView> committed) {
        return Intents.find(committed.apply(lock.getCoordinator()), lock.getIntent())
                .map(row -> row.getState() == IntentRow.State.DECIDED
                        && row.getSlots(lock.getSlot()).getCommit())
                .orElse(false);
    }
}
