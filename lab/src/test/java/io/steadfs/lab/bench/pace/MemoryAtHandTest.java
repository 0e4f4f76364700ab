package io.steadfs.lab.bench.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryAtHandTest {
    @Test
    void itLeavesNothingAndCanBeTakenAgain(@TempDir Path folder) throws IOException {
        MemoryAtHand memory = new MemoryAtHand(folder, 3);
        memory.take();
        memory.take();
        assertThat(folder).isEmptyDirectory();
    }
}
