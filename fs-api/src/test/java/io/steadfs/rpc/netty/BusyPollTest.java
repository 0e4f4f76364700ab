package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.wire.Kind;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BusyPollTest {
    private static final long MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final BusyPoll poll = new BusyPoll(2);

    /** Nanoseconds as of {@link System#nanoTime}, just before these turn negative. */
    private long now = Long.MAX_VALUE - 50 * MICRO;

    /** One wait, with a look each microsecond. Returns for how long the thread looked. */
    private long microsOfLooks(long replyAfterMicros) {
        return microsOfLooks(replyAfterMicros, Kind.STAT);
    }

    private long microsOfLooks(long replyAfterMicros, Kind kind) {
        poll.begin(now, kind);
        long began = now;
        long looked = 0;
        while (now - began < replyAfterMicros * MICRO) {
            if (!poll.looksAgain(now)) {
                // Asleep until the reply has come, and until the thread was woken.
                now = began + (replyAfterMicros + 40) * MICRO;
            } else {
                looked++;
                now += MICRO;
            }
        }
        poll.came(now);
        now += 10 * MICRO;
        return looked;
    }

    private long microsOfLooksAfterMany(long replyAfterMicros) {
        for (int i = 0; i < 100; i++) {
            microsOfLooks(replyAfterMicros);
        }
        return microsOfLooks(replyAfterMicros);
    }

    /** In three looks of few, as a thread is where others want the processor. */
    private void putAside() {
        for (int i = 0; i < 3; i++) {
            putAsideOnce();
        }
    }

    private void putAsideOnce() {
        poll.begin(now, Kind.STAT);
        assertThat(poll.looksAgain(now)).isTrue();
        now += 300 * MICRO;
        assertThat(poll.looksAgain(now)).isFalse();
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void looksOnlyWhereRepliesHaveComeSoon() {
        assertThat(microsOfLooks(60)).isZero();
        assertThat(microsOfLooksAfterMany(60)).isEqualTo(60);
        assertThat(microsOfLooksAfterMany(500)).isZero();
    }

    @Test
    void looksForAReplyThatComesLateNoLongerThanTheLimit() {
        microsOfLooksAfterMany(60);
        assertThat(microsOfLooks(2_000)).isBetween(150L, 151L);
    }

    @Test
    void oneLateReplyDoesNotEndTheLooks() {
        microsOfLooksAfterMany(40);
        microsOfLooks(300);
        assertThat(microsOfLooks(40)).isEqualTo(40);
    }

    @Test
    void eachKindHasItsOwnTime() {
        for (int i = 0; i < 100; i++) {
            microsOfLooks(60, Kind.CLOSE);
            assertThat(microsOfLooks(300, Kind.CREATE)).isZero();
        }
        assertThat(microsOfLooks(60, Kind.CLOSE)).isEqualTo(60);
    }

    /** One look of twenty, which is what happens where others want the processor all the time. */
    @Test
    void restsGrowWhereOthersWantTheProcessor() {
        microsOfLooksAfterMany(40);
        long beganResting = 0;
        for (int rests = 0; rests < 6; rests++) {
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 19; j++) {
                    assertThat(microsOfLooks(40)).isEqualTo(40);
                }
                putAsideOnce();
            }
            beganResting = now;
            while (microsOfLooks(40) == 0) {
                pass(10);
            }
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(now - beganResting)).isGreaterThan(1_000);
    }

    /** A host that has other machines puts all threads aside at times. */
    @Test
    void aThreadThatIsSeldomPutAsideGoesOnLooking() {
        microsOfLooksAfterMany(40);
        for (int i = 0; i < 20; i++) {
            putAsideOnce();
            assertThat(microsOfLooks(40)).isEqualTo(40);
            for (int j = 0; j < 300; j++) {
                microsOfLooks(40);
            }
        }
    }

    @Test
    void aThreadThatWasPutAsideLooksAgainLater() {
        microsOfLooksAfterMany(40);
        putAside();
        assertThat(microsOfLooks(40)).isZero();
        pass(49);
        assertThat(microsOfLooks(40)).isZero();
        pass(2);
        assertThat(microsOfLooks(40)).isEqualTo(40);
    }

    @Test
    void aThreadThatIsPutAsideAgainRestsTwiceAsLong() {
        microsOfLooksAfterMany(40);
        putAside();
        pass(51);
        putAside();
        pass(90);
        assertThat(microsOfLooks(40)).isZero();
        pass(20);
        assertThat(microsOfLooks(40)).isEqualTo(40);
    }

    @Test
    void theRestIsBounded() {
        microsOfLooksAfterMany(40);
        for (int i = 0; i < 20; i++) {
            putAside();
            pass(3_201);
        }
        assertThat(microsOfLooks(40)).isEqualTo(40);
    }

    @Test
    void ownWorkIsNoPause() {
        microsOfLooksAfterMany(40);
        poll.begin(now, Kind.STAT);
        assertThat(poll.looksAgain(now)).isTrue();
        now += 120 * MICRO;
        poll.worked(now);
        assertThat(poll.looksAgain(now)).isTrue();
    }

    @Test
    void withOneProcessorNobodyLooks() {
        BusyPoll alone = new BusyPoll(1);
        for (int i = 0; i < 100; i++) {
            alone.begin(now, Kind.STAT);
            assertThat(alone.looksAgain(now)).isFalse();
            now += 20 * MICRO;
            alone.came(now);
        }
    }
}
