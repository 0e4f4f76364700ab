package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.pipeline.DirectoryTimes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DirectoryTimesTest {
    private static final List<String> CHANGES = List.of(
            "create /d/f",
            "mkdir /d/s",
            "symlink /x /d/l",
            "rename /d/f /d/g",
            "rename /d/g /e/g",
            "rename /e/g /d/g",
            "create! /d/g",
            "delete /d/l",
            "delete-r /d/s");

    private final Shell shell = new Shell().given("mkdir /d; mkdir /e");

    @Test
    void eachChangeOfAnEntrySetsAnExactTime() {
        for (String change : CHANGES) {
            long before = shell.stat("/d").getModificationTime();
            shell.given(change);
            assertThat(shell.stat("/d").getModificationTime()).as(change).isGreaterThan(before);
        }
    }

    @Test
    void aRelaxedTimeStays() {
        shell.times = DirectoryTimes.RELAXED;
        long made = shell.stat("/d").getModificationTime();
        for (String change : CHANGES) {
            shell.given(change);
            assertThat(shell.stat("/d").getModificationTime()).as(change).isEqualTo(made);
        }
        assertThat(shell.stat("/d").getEntries()).isEqualTo(1);
    }

    @Test
    void aTimeThatSomebodySetsIsKeptWhenTimesAreRelaxed() {
        shell.times = DirectoryTimes.RELAXED;
        shell.given("times 7 /d; create /d/f");
        assertThat(shell.stat("/d").getModificationTime()).isEqualTo(7);
    }

    @Test
    void aNewDirectoryHasTheTimeAtWhichItWasMade() {
        shell.times = DirectoryTimes.RELAXED;
        long before = shell.inputs().wallMillis();
        shell.given("mkdir /d/s");
        assertThat(shell.stat("/d/s").getModificationTime()).isGreaterThan(before);
    }

    @Test
    void anotherWordIsRefusedWithItsKey() {
        assertThatThrownBy(() ->
                        Settings.of(Map.of("stead.directory.times", "lazy")).get(DirectoryTimes.CONFIGURED))
                .hasMessageContaining("stead.directory.times")
                .hasMessageContaining("lazy");
    }
}
