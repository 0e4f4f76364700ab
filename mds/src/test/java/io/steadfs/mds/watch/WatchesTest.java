package io.steadfs.mds.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.simulation.SimulatedTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchesTest {
    private static final Handle WATCHED = Handle.of(Handle.FIRST_SHARD_OWNER, 1, 7);
    private static final Handle OTHER = Handle.of(Handle.FIRST_SHARD_OWNER, 1, 8);

    private final SimulatedTime time = new SimulatedTime(1);
    private final Watches watches = new Watches(time);

    private static List<LogRecord> named(Handle object) {
        return List.of(DirentSet.file(DirentKey.of(Handle.ROOT, "a"), object));
    }

    private Watches.Seen seen(long watch) {
        return watches.seen(watch).orElseThrow();
    }

    @Test
    void notesNamesOfWatchedObjectsBeforeTheyAreVisible() {
        long watch = watches.begin(List.of(WATCHED));
        assertThat(seen(watch).settled()).isTrue();

        watches.committing(named(OTHER));
        assertThat(seen(watch).touched()).isEmpty();
        watches.committed(named(OTHER));
        watches.committing(named(WATCHED));

        assertThat(seen(watch).touched()).containsExactly(WATCHED);
    }

    @Test
    void isNotSettledBeforeTheBatchThatWasOnItsWayIsVisible() {
        watches.committing(named(WATCHED));
        long watch = watches.begin(List.of(WATCHED));
        assertThat(seen(watch).settled()).isFalse();

        watches.committed(named(WATCHED));

        assertThat(seen(watch)).isEqualTo(new Watches.Seen(true, List.of(WATCHED)));
    }

    @Test
    void whatWasVisibleBeforeIsNotNoted() {
        watches.committing(named(WATCHED));
        watches.committed(named(WATCHED));

        assertThat(seen(watches.begin(List.of(WATCHED)))).isEqualTo(new Watches.Seen(true, List.of()));
    }

    @Test
    void ofTooManyTheOldestEnds() {
        long first = watches.begin(List.of(WATCHED));
        for (int i = 0; i < 4; i++) {
            watches.begin(List.of(OTHER));
        }
        assertThat(watches.seen(first)).isEmpty();
    }

    @Test
    void oneThatNobodyEndsEndsByItself() {
        long first = watches.begin(List.of(WATCHED));
        time.runFor(TimeUnit.MINUTES.toMillis(61));
        long second = watches.begin(List.of(WATCHED));

        assertThat(watches.seen(first)).isEmpty();
        assertThat(watches.seen(second)).isPresent();
        watches.end(second);
        assertThat(watches.seen(second)).isEqualTo(Optional.empty());
    }

    @Test
    void aShardThatStartedAnewKnowsNoNumberOfBefore() {
        long before = watches.begin(List.of(WATCHED));
        time.runFor(1);
        Watches anew = new Watches(time);
        long watch = anew.begin(List.of(WATCHED));

        assertThat(watch).isNotEqualTo(before);
        assertThat(anew.seen(before)).isEmpty();
    }
}
