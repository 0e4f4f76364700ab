package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadHomeTest {
    private static final String JAR = "steadfs-hadoop-0.1.0-SNAPSHOT.jar";

    @TempDir
    private Path home = Path.of("");

    /** What a folder has, separated by spaces, and what is wrong with it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "readme.txt                                         | is no SteadFS: there is no command HOME/bin/stead",
                "bin/stead                                          | is no SteadFS: it has neither a pom.xml",
                "bin/stead lib/other.jar                            | is no SteadFS: it has neither a pom.xml",
                "bin/stead pom.xml                                  | there is no HOME/hadoop-adapter",
                "bin/stead pom.xml hadoop-adapter/pom.xml           | is not built: there is no folder */target/lib",
                "bin/stead pom.xml hadoop-adapter/pom.xml cli/target/lib/a.jar | has no client jar: there is no HOME/hadoop-adapter/target/steadfs-hadoop-[0-9]*.jar",
                "bin/stead pom.xml hadoop-adapter/target/steadfs-hadoop-1.jar hadoop-adapter/target/steadfs-hadoop-2.jar lab/target/lib/a.jar | has several client jars: [HOME/hadoop-adapter/target/steadfs-hadoop-1.jar, HOME/hadoop-adapter/target/steadfs-hadoop-2.jar]",
                "bin/stead pom.xml hadoop-adapter/target/steadfs-hadoop-1.jar | is not built",
                "bin/stead lib/steadfs-lab-1.jar                    | has no client jar: there is no HOME/client/steadfs-hadoop-[0-9]*.jar",
                "bin/stead lib/steadfs-lab-1.jar client/steadfs-hadoop-1.jar client/steadfs-hadoop-2.jar | has several client jars",
            })
    void whatIsMissingIsNamed(String files, String message) throws IOException {
        for (String file : files.split(" ", -1)) {
            make(file);
        }
        assertThatThrownBy(() -> SteadHome.of(home))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(home + " ")
                .hasMessageContaining(message.replace("HOME", home.toString()));
    }

    @Test
    void fileOrNothingIsNoHome() throws IOException {
        Path file = make("file");
        assertThatThrownBy(() -> SteadHome.of(file)).hasMessage(file + " is no folder");
        assertThatThrownBy(() -> SteadHome.of(home.resolve("gone")))
                .hasMessage(home.resolve("gone") + " does not exist");
    }

    @ParameterizedTest
    @CsvSource({"cli", "lab"})
    void checkoutHasItsJarsInModules(String moduleOfJars) throws Exception {
        for (String file : new String[] {"bin/stead", "pom.xml", moduleOfJars + "/target/lib/a.jar"}) {
            make(file);
        }
        make("hadoop-adapter/target/steadfs-hadoop-adapter-0.1.0-SNAPSHOT.jar");
        Path jar = make("hadoop-adapter/target/" + JAR);

        SteadHome found = SteadHome.of(home);

        assertThat(found.clientJar()).isEqualTo(jar);
        assertThat(found.version()).as("without git").isEqualTo("version 0.1.0-SNAPSHOT");
    }

    @Test
    void commitOfCheckoutIsSaid() throws Exception {
        make("bin/stead");
        make("pom.xml");
        make("cli/target/lib/a.jar");
        make("hadoop-adapter/target/" + JAR);
        git("init", "-q");
        assertThat(SteadHome.of(home).version()).as("without a commit").isEqualTo("version 0.1.0-SNAPSHOT");
        git("add", "pom.xml");
        git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "first");
        assertThat(SteadHome.of(home).version()).matches("commit [0-9a-f]{12}");
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "git";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        assertThat(new ProcessBuilder(command)
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void releaseSaysItsVersionAndCommit() throws Exception {
        make("bin/stead");
        make("lib/steadfs-lab-0.1.0-SNAPSHOT.jar");
        Path jar = make("client/" + JAR);
        assertThat(SteadHome.of(home).clientJar()).isEqualTo(jar);
        assertThat(SteadHome.of(home).version()).isEqualTo("version 0.1.0-SNAPSHOT");

        Files.writeString(home.resolve("VERSION"), "0.1.0 a70b1a31912e78fac49c9266004b31c5a8b0f01f\n");
        assertThat(SteadHome.of(home).version()).isEqualTo("0.1.0, commit a70b1a31912e");
    }

    private Path make(String name) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.createFile(file);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
