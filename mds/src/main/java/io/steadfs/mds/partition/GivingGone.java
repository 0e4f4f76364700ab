package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.Optional;

/**
 * Records that a directory or partition gives no names any more: they are given, or the attempt has ended.
 *
 * @param given empty = the names stay, or go with their directory
 */
public record GivingGone(Handle directory, Optional<Given> given) implements LogRecord {
    /**
     * What was given.
     *
     * @param names number of names
     */
    public record Given(What what, long names) {}

    /** The attempt has ended. */
    public static GivingGone kept(Handle directory) {
        return new GivingGone(directory, Optional.empty());
    }

    /** The names are given. */
    public static GivingGone given(Handle directory, What what, long names) {
        return new GivingGone(directory, Optional.of(new Given(what, names)));
    }

    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.GIVING, Keys.of(directory.value()));
    }
}
