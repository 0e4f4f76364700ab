package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.simulation.SimulatedTime;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameRatesTest {
    /** A single name that was made just now: its weight of one over ten seconds. */
    private static final double ONE = 0.1;

    private static final Offset<Double> TINY = within(1e-9);
    private static final Handle HOT = directory(1);

    private final SimulatedTime time = new SimulatedTime(1);
    private final NameRates rates = new NameRates(time);

    private static Handle directory(int number) {
        return Handle.of(Handle.FIRST_SHARD_OWNER, 0, number);
    }

    private static DirentSet name(Handle directory, String name) {
        return DirentSet.file(DirentKey.of(directory, name), Handle.of(Handle.FIRST_SHARD_OWNER, 0, 1 << 20));
    }

    private static CountsSet counts(Handle directory) {
        return new CountsSet(directory, DirectoryCounts.first(0));
    }

    private void make(Handle directory, int names) {
        List<LogRecord> records = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            records.add(counts(directory));
            records.add(name(directory, "f" + i));
        }
        rates.committed(records);
    }

    /** @param seconds at a hundred names a second */
    private void makeFor(int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            make(HOT, 10);
            time.runFor(100);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 63", "30, 95", "60, 100", "1000, 100"})
    void rateComesNearTheTrueOne(int seconds, double expected) {
        makeFor(seconds);
        assertThat(rates.perSecond(HOT)).isCloseTo(expected, within(1.0));
        assertThat(rates.perSecond(directory(2))).isZero();
    }

    @Test
    void rateFallsWhenNoMoreNamesAreMade() {
        makeFor(60);
        double before = rates.perSecond(HOT);
        time.runFor(10_000);
        assertThat(rates.perSecond(HOT)).isCloseTo(before / Math.E, within(1e-6));
        time.runFor(365L * 24 * 3600 * 1000);
        assertThat(rates.perSecond(HOT)).isZero();
        make(HOT, 1);
        assertThat(rates.perSecond(HOT)).isCloseTo(ONE, TINY);
    }

    @Test
    void directoriesAreListedByTheirRates() {
        make(directory(3), 3);
        make(directory(2), 5);
        make(directory(4), 1);
        make(directory(5), 3);
        assertThat(rates.hottest(3).stream().map(NameRates.Hot::directory))
                .containsExactly(directory(2), directory(3), directory(5));
        assertThat(rates.hottest(1).get(0).perSecond()).isCloseTo(5 * ONE, TINY);
        rates.committed(List.of(new CountsGone(directory(2))));
        assertThat(rates.perSecond(directory(2))).isZero();
        assertThat(rates.hottest(9)).hasSize(3);
    }

    /** As many directories as nobody can count, of which one is hot. */
    @Test
    void hotDirectoryIsFoundAmongManyColdOnes() {
        int cold = 100 * NameRates.MOST_DIRECTORIES;
        int hot = cold / 100;
        for (int i = 0; i < cold; i++) {
            make(directory(2 + i), 1);
            if (i % 100 == 0) {
                make(HOT, 1);
            }
        }
        double off = (cold + hot) / 1000.0;
        assertThat(rates.hottest(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(NameRates.MOST_DIRECTORIES);
        assertThat(rates.hottest(1).get(0).directory()).isEqualTo(HOT);
        assertThat(rates.perSecond(HOT)).isBetween((hot - off) * ONE, hot * ONE + 1e-6);
    }

    @Test
    void namesThatMoveTogetherCountAsOne() {
        List<LogRecord> records = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            records.add(name(HOT, "f" + i));
        }
        records.add(counts(HOT));
        rates.committed(records);
        assertThat(rates.perSecond(HOT)).isCloseTo(ONE, TINY);
    }

    @Test
    void nameThatIsHeldIsNotMade() {
        DirentSet name = name(HOT, "f");
        LockRow lock = LockRow.newBuilder().setIntent(1).build();
        rates.committed(List.of(
                new DirentSet(name.key(), name.row().toBuilder().setLock(lock).build()), counts(HOT)));
        rates.committed(List.of(name));
        assertThat(rates.perSecond(HOT)).isZero();
    }

    /** Names that requests make in the directory d, and in the directory d/e. */
    @ParameterizedTest
    @CsvSource({
        "'', create d/f, 1, 0",
        "'', mkdir d/f, 1, 0",
        "'', symlink x d/f, 1, 0",
        "'', creates d/f/g/h, 1, 0",
        "'', mkdirs d/f/g/h, 1, 0",
        "'', creates d/e/g/h, 0, 1",
        "create d/f, create! d/f, 1, 0",
        "create d/f, delete d/f, 0, 0",
        "create d/f, rename d/f d/g, 1, 0",
        "create d/f, rename d/f d/e/g, 0, 1",
        "create d/f, chmod 600 d/f, 0, 0",
        "create d/f, delete-r d/e, 0, 0",
        "'', chmod 700 d, 0, 0",
        "'', times 1000 d, 0, 0",
    })
    void namesOfRequestsAreCounted(String before, String request, int inD, int inE) {
        Shell shell = new Shell();
        shell.given("mkdirs d/e");
        Handle d = new Handle(shell.stat("d").getHandle());
        Handle e = new Handle(shell.stat("d/e").getHandle());
        if (!before.isEmpty()) {
            shell.given(before);
        }
        shell.state.listener(rates);
        shell.given(request);
        assertThat(rates.perSecond(d)).isCloseTo(inD * ONE, TINY);
        assertThat(rates.perSecond(e)).isCloseTo(inE * ONE, TINY);
    }
}
