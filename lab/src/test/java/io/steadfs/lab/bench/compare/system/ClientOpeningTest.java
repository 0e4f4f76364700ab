package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClientOpeningTest {
    @Test
    void argumentsTellAllToAnotherProcess() {
        ClientOpening plain = new ClientOpening(URI.create("stead://h:1"), Map.of(), Optional.empty());
        ClientOpening full = new ClientOpening(
                URI.create("hdfs://h:2"), Map.of("key", "a=b c", "empty", ""), Optional.of(Path.of("/a b.jar")));

        assertThat(plain.arguments()).containsExactly("stead://h:1", "");
        assertThat(ClientOpening.parse(plain.arguments())).isEqualTo(plain);
        assertThat(ClientOpening.parse(full.arguments())).isEqualTo(full);
    }
}
