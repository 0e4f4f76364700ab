package io.steadfs.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedFileSystemTest {
    @TempDir
    private Path folder = Path.of("");

    private NamedFileSystem with(String coreSite, Map<String, String> environment) throws IOException {
        Files.writeString(folder.resolve("core-site.xml"), "<configuration>" + coreSite + "</configuration>");
        Map<String, String> all = new java.util.HashMap<>(environment);
        all.put("HADOOP_CONF_DIR", folder.toString());
        return new NamedFileSystem(all);
    }

    private static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>";
    }

    @Test
    void optionBeatsVariableBeatsFile() throws IOException {
        String file = property("fs.defaultFS", "stead://file:1");
        assertThat(with(file, Map.of()).servers(Optional.empty())).hasToString("[stead://file:1]");
        assertThat(with(file, Map.of("STEAD_URI", "stead://variable:1")).servers(Optional.empty()))
                .hasToString("[stead://variable:1]");
        assertThat(with(file, Map.of("STEAD_URI", "stead://variable:1")).servers(Optional.of("stead://option")))
                .hasToString("[stead://option:7410]");
        assertThat(with(file, Map.of("STEAD_URI", " ")).servers(Optional.empty()))
                .hasToString("[stead://file:1]");
    }

    @Test
    void nameOfAClusterStandsForItsServers() throws IOException {
        NamedFileSystem named = with(
                property("fs.defaultFS", "stead://prod/") + property("fs.stead.prod.servers", "a:1, b:2"), Map.of());
        assertThat(named.servers(Optional.empty())).hasToString("[stead://a:1, stead://b:2]");
        assertThat(named.servers(Optional.of("stead://other"))).hasToString("[stead://other:7410]");
    }

    @Test
    void whatIsWrongIsToldWithItsPlace() throws IOException {
        assertThatThrownBy(() -> with("", Map.of()).servers(Optional.empty()))
                .hasMessageContaining("--uri")
                .hasMessageContaining("STEAD_URI")
                .hasMessageContaining("fs.defaultFS");
        assertThatThrownBy(() -> with("", Map.of("STEAD_URI", "hdfs://x:1")).servers(Optional.empty()))
                .hasMessageContaining("STEAD_URI: 'hdfs://x:1' is not stead://host:port");
        assertThatThrownBy(() ->
                        with(property("fs.defaultFS", "file:///"), Map.of()).servers(Optional.empty()))
                .hasMessageContaining("fs.defaultFS in " + folder.resolve("core-site.xml") + ": 'file:///'");
    }
}
