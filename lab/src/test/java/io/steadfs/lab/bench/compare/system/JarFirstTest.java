package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.SteadFs;
import io.steadfs.hadoop.SteadFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads from a jar that has the file system of the client, and a resource that this program has too. */
class JarFirstTest {
    private static final String RESOURCE = "steadfs-default.xml";

    private final JarFirst one;
    private final JarFirst another;

    JarFirstTest(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("client.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type = SteadFileSystem.class; type != FileSystem.class; type = type.getSuperclass()) {
                String file = type.getName().replace('.', '/') + ".class";
                try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
                    write(out, file, in.readAllBytes());
                }
            }
            write(out, RESOURCE, "of the jar".getBytes(StandardCharsets.UTF_8));
        }
        one = new JarFirst(jar);
        another = new JarFirst(jar);
    }

    private static void write(JarOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(bytes);
    }

    @Test
    void eachHasClassesOfItsOwnAndTheSameHadoop() throws Exception {
        Class<?> mine = one.loadClass(SteadFileSystem.class.getName());
        assertThat(mine.getClassLoader()).isSameAs(one);
        assertThat(mine)
                .isNotEqualTo(SteadFileSystem.class)
                .isNotEqualTo(another.loadClass(SteadFileSystem.class.getName()));
        assertThat(mine).isAssignableTo(FileSystem.class);
        assertThat(one.loadClass(SteadFileSystem.class.getName())).isSameAs(mine);
    }

    @Test
    void whatTheJarLacksIsNotTakenFromThisBuild() {
        assertThatThrownBy(() -> one.loadClass(SteadFs.class.getName())).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void resourcesAreThoseOfTheJarIfItHasThem() throws IOException {
        try (InputStream in = one.getResourceAsStream(RESOURCE)) {
            assertThat(in).hasContent("of the jar");
        }
        assertThat(Collections.list(one.getResources(RESOURCE))).hasSize(1);
        URL ofHadoop = one.getResource("core-default.xml");
        assertThat(ofHadoop).isEqualTo(FileSystem.class.getClassLoader().getResource("core-default.xml"));
    }
}
