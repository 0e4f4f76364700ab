package io.steadfs.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.shaded.io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is inside the one jar that users put on a class path. */
class ClientJarTest {
    private static final long LIMIT_BYTES = 12L << 20;

    /** Ours and what is renamed to be ours; resources of ours; the native libraries; two text files. */
    private static final Pattern ALLOWED = Pattern.compile("io/steadfs/.*\\.class"
            + "|META-INF/MANIFEST\\.MF"
            + "|META-INF/(LICENSE|NOTICE)"
            + "|META-INF/native/libio_steadfs_shaded_netty_transport_native_epoll_(x86_64|aarch_64)\\.so"
            + "|META-INF/services/org\\.apache\\.hadoop\\.[A-Za-z.]+"
            + "|(core-default|steadfs-[a-z-]+)\\.(xml|properties)");

    @Test
    void nothingElseIsInside() throws IOException, URISyntaxException {
        try (JarFile jar = new JarFile(clientJar().toFile())) {
            List<String> strangers = jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(entry -> entry.getName())
                    .filter(name -> !ALLOWED.matcher(name).matches())
                    .collect(Collectors.toList());
            assertThat(strangers).isEmpty();
        }
    }

    @Test
    void isSmall() throws IOException, URISyntaxException {
        assertThat(Files.size(clientJar())).isLessThan(LIMIT_BYTES);
    }

    @Test
    void epollIsAvailable() {
        assertThat(Epoll.unavailabilityCause()).isNull();
    }

    private static Path clientJar() throws URISyntaxException {
        return Path.of(
                Epoll.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
