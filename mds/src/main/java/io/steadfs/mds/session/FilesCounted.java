package io.steadfs.mds.session;

import io.steadfs.mds.record.CountRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.Optional;

/** Records how many metafiles of this shard the session holds. */
public record FilesCounted(long session, FileCount count, Optional<String> wrong) implements CountRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, FileCount.key(session), count.encode());
    }
}
