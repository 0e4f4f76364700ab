package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HadoopSettingsTest {
    private final Configuration conf = new Configuration(false);

    private List<ServerAddress> servers(String uri) throws IOException {
        return HadoopSettings.servers(URI.create(uri), conf);
    }

    @Test
    void hostOfTheUriIsAServer() throws IOException {
        assertThat(servers("stead://one:77/a")).containsExactly(new ServerAddress("one", 77));
        assertThat(servers("stead://one/a")).containsExactly(new ServerAddress("one", HadoopSettings.DEFAULT_PORT));
        assertThat(servers("stead://[::1]:77/a")).containsExactly(new ServerAddress("::1", 77));
    }

    @Test
    void hostOfTheUriMayBeANameWithServers() throws IOException {
        conf.set("fs.stead.prod.servers", "one:1, two:2");
        assertThat(servers("stead://prod/a")).containsExactly(new ServerAddress("one", 1), new ServerAddress("two", 2));
        assertThat(HadoopSettings.isNamed(URI.create("stead://prod/"), conf)).isTrue();
        assertThat(HadoopSettings.isNamed(URI.create("stead://test/"), conf)).isFalse();
    }

    @Test
    void unusableServersAreNamed() {
        conf.set("fs.stead.prod.servers", "one:1,two");
        assertThatThrownBy(() -> servers("stead://prod/"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("fs.stead.prod.servers")
                .hasMessageContaining("'two'");
        conf.set("fs.stead.prod.servers", " ");
        assertThatThrownBy(() -> servers("stead://prod/")).hasMessageContaining("lists no server");
        for (String port : new String[] {"70000", "0"}) {
            assertThatThrownBy(() -> servers("stead://one:" + port + "/a"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("stead://one:" + port + "/a")
                    .hasMessageContaining("port " + port + " of one");
        }
        assertThatThrownBy(() -> servers("stead:///a")).hasMessageContaining("names no cluster");
    }

    @Test
    void keysHaveThePrefixOfHadoop() throws IOException {
        conf.set("fs.stead.create.strip.size", "1m");
        Settings settings = HadoopSettings.of(conf);
        assertThat(settings.get(AdapterKeys.CREATE_STRIP_SIZE)).isEqualTo(1 << 20);
        assertThat(settings.get(AdapterKeys.CREATE_WIDTH)).isZero();
    }

    @Test
    void misspelledKeysAreRefusedAndThoseOfHadoopAreNot() throws IOException {
        conf.set("fs.stead.impl", "io.steadfs.hadoop.SteadFileSystem");
        conf.set("fs.stead.impl.disable.cache", "true");
        conf.set("fs.stead.prod.servers", "one:1");
        assertThat(HadoopSettings.of(conf)).isNotNull();
        conf.set("fs.stead.read.vectored.max.sice", "1m");
        assertThatThrownBy(() -> HadoopSettings.of(conf))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("stead.read.vectored.max.sice")
                .hasMessageContaining("stead.read.vectored");
    }
}
