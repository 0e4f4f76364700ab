package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownKeysTest {
    @TempDir
    private Path folder = Path.of("");

    /** The page of another build: it has a key that this one does not have, and lacks most of its keys. */
    @Test
    void keysOfAnotherBuildAreThoseOfItsPage() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("docs")).resolve("configuration.md"), """
                ## Every server
                | `stead.port` | `usual` |  | Port. |
                | `stead.rpc.threads` | `0` |  | Threads. |
                ## Metadata server: `stead mds`
                | `stead.mds.walks.of.old` | `1` |  | Gone since. |
                ## Clients
                | `stead.rpc.threads` | `0` |  | Threads. |
                | `stead.create.protocol` | `unified` |  | How. |
                """);
        KnownKeys keys = KnownKeys.of(new SteadHome(folder, folder.resolve("client.jar")));

        Map<String, String> values =
                Map.of("stead.mds.walks.of.old", "2", "stead.rpc.threads", "3", "stead.create.protocol", "eager");
        assertThat(keys.ofServers(values)).containsOnlyKeys("stead.mds.walks.of.old", "stead.rpc.threads");
        Map<String, String> client = keys.ofClients(values);
        assertThat(client.get("fs.stead.rpc.threads")).isEqualTo("3");
        assertThat(client.get("fs.stead.create.protocol")).isEqualTo("eager");
        assertThat(client.get("fs.stead.mds.walks.of.old")).isNull();
        assertThatThrownBy(() -> keys.check(List.of("stead.port", "stead.mds.rows.bytes"), "--set"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown configuration key 'stead.mds.rows.bytes' in --set");
    }

    @Test
    void homeWithoutPageIsTakenToKnowTheKeysOfThisBuild() {
        KnownKeys keys = KnownKeys.of(new SteadHome(folder, folder.resolve("client.jar")));
        assertThat(keys).isEqualTo(KnownKeys.here());
        assertThatCode(() -> keys.check(List.of("stead.mds.rows.bytes", "stead.create.protocol"), "--set"))
                .doesNotThrowAnyException();
    }
}
