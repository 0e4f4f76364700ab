package io.steadfs.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.connect.NamedFileSystem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** On Hadoop's local file system: what is ours here is which file system the shell works on. */
class FsCommandTest {
    private static final String DEFAULT = "fs.defaultFS";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void shellGetsItsArgumentsAsTheyAre() {
        Path made = folder.resolve("made");

        int exitCode = commandLine(Map.of()).execute("--uri", "file:///", "-mkdir", "-p", made.toString());

        assertThat(exitCode).isZero();
        assertThat(made).isDirectory();
    }

    @Test
    void failureOfTheShellIsTheExitCode() {
        assertThat(commandLine(Map.of()).execute("--uri", "file:///", "-ls", folder + "/absent"))
                .isEqualTo(1);
        assertThat(commandLine(Map.of()).execute("--uri", "file:///", "-noSuchCommand"))
                .isEqualTo(255);
    }

    @Test
    void theShellMakesAndReadsSymbolicLinks() {
        Path name = folder.resolve("name");

        int made = commandLine(Map.of()).execute("--uri", "file:///", "-ln", "-s", "no*where", name.toString());

        assertThat(made).isZero();
        assertThat(name).isSymbolicLink();
        assertThat(commandLine(Map.of()).execute("--uri", "file:///", "-readlink", name.toString()))
                .isZero();
        assertThat(commandLine(Map.of()).execute("--uri", "file:///", "-ln", "a", name.toString()))
                .isEqualTo(255);
        assertThat(commandLine(Map.of()).execute("--uri", "file:///", "-readlink", folder.toString()))
                .isEqualTo(1);
    }

    /** A file system whose calls end because somebody wants the process to end. */
    public static final class Interrupted extends LocalFileSystem {
        @Override
        public void createSymlink(org.apache.hadoop.fs.Path target, org.apache.hadoop.fs.Path link, boolean parents)
                throws IOException {
            throw new InterruptedIOException("interrupted");
        }

        @Override
        public org.apache.hadoop.fs.Path getLinkTarget(org.apache.hadoop.fs.Path link) throws IOException {
            throw new InterruptedIOException("interrupted");
        }

        @Override
        public FileStatus getFileStatus(org.apache.hadoop.fs.Path file) throws IOException {
            throw new InterruptedIOException("interrupted");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-ls name", "-partitions name", "-readlink name", "-ln -s target name"})
    void anInterruptedCommandEndsAsHadoopsDo(String words) {
        String command = "--uri file:/// -D fs.file.impl.disable.cache=true -D fs.file.impl="
                + Interrupted.class.getName() + " " + words;

        assertThat(commandLine(Map.of()).execute(command.split(" "))).isEqualTo(130);
    }

    @Test
    void partitionsTakesPatternsAndGoesOnAfterAPathThatIsNotThere() throws Exception {
        Files.createDirectory(folder.resolve("one"));

        int absent = commandLine(Map.of()).execute("--uri", "file:///", "-partitions", folder + "/absent");
        int elsewhere = commandLine(Map.of()).execute("--uri", "file:///", "-partitions", folder + "/o*");
        int both =
                commandLine(Map.of()).execute("--uri", "file:///", "-partitions", folder + "/absent", folder + "/o*");

        assertThat(absent).isEqualTo(1);
        assertThat(elsewhere).as("no SteadFS file system").isEqualTo(255);
        assertThat(both).as("of the second path").isEqualTo(255);
    }

    @Test
    void wrongUsageSaysWhatToWrite() {
        StringWriter err = new StringWriter();

        int exitCode = commandLine(Map.of()).setErr(new PrintWriter(err)).execute();

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("stead fs -ls /");
    }

    @Test
    void optionBeatsVariableBeatsFile() throws Exception {
        Files.writeString(
                folder.resolve("core-site.xml"),
                "<configuration><property><name>fs.defaultFS</name><value>stead://file:1</value></property>"
                        + "</configuration>");
        Map<String, String> file = Map.of("HADOOP_CONF_DIR", folder.toString());
        Map<String, String> both =
                Map.of("HADOOP_CONF_DIR", folder.toString(), NamedFileSystem.URI_VARIABLE, "stead://var:1");

        assertThat(parsed(file, "-ls").configuration().get(DEFAULT)).isEqualTo("stead://file:1");
        assertThat(parsed(both, "-ls").configuration().get(DEFAULT)).isEqualTo("stead://var:1");
        assertThat(parsed(both, "--uri", "stead://opt:1", "-ls").configuration().get(DEFAULT))
                .isEqualTo("stead://opt:1");
    }

    /** Hadoop would work on the local disk. */
    @Test
    void withoutAFileSystemNothingIsDone() {
        StringWriter err = new StringWriter();
        Path made = folder.resolve("made");

        int exitCode = commandLine(Map.of()).setErr(new PrintWriter(err)).execute("-mkdir", "-p", made.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("--uri", "STEAD_URI", "HADOOP_CONF_DIR/core-site.xml");
        assertThat(made).doesNotExist();
        assertThat(commandLine(Map.of("STEAD_URI", "file:///"))
                        .setErr(new PrintWriter(err))
                        .execute("-mkdir", "-p", made.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("STEAD_URI names the local disk, 'file:///'");
        assertThat(made).doesNotExist();
    }

    @Test
    void genericOptionsOfHadoopNameTheFileSystemToo() {
        Path made = folder.resolve("made");

        assertThat(commandLine(Map.of()).execute("-fs", "file:///", "-mkdir", "-p", made.toString()))
                .isZero();
        assertThat(made).isDirectory();
    }

    private static FsCommand parsed(Map<String, String> environment, String... arguments) {
        FsCommand command = new FsCommand(environment);
        new CommandLine(command).parseArgs(arguments);
        return command;
    }

    private static CommandLine commandLine(Map<String, String> environment) {
        return new CommandLine(new FsCommand(environment));
    }
}
