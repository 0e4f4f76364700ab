package io.steadfs.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process without Spark in it. */
class SparkProcessTest {
    @TempDir
    private Path scratch = Path.of("");

    private final List<String> progress = Collections.synchronizedList(new ArrayList<>());

    @Test
    void outputIsTheResultAndProgressIsPassedOn() throws Exception {
        try (SparkProcess process = start("3", "0")) {
            assertThat(process.await(60)).containsExactly("line 1", "line 2", "line 3", "{\"lines\":3}");
            assertThat(progress).containsExactly("printing");
        }
    }

    @Test
    void failureTellsStatusAndErrors() throws Exception {
        try (SparkProcess process = start("1", "7")) {
            assertThatThrownBy(() -> process.await(60))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("failed with status 7")
                    .hasMessageContaining("what went wrong");
        }
    }

    @Test
    void closingEndsTheProgram() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        SparkProcess process = SparkProcess.start(
                classPath(), scratch, Program.class.getName(), List.of("0", "forever"), line -> started.countDown());
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();

        process.close();

        assertThatThrownBy(() -> process.await(60)).hasMessage("the Spark job was stopped");
    }

    @Test
    void programThatTakesTooLongIsEnded() throws Exception {
        try (SparkProcess process = start("0", "forever")) {
            assertThatThrownBy(() -> process.await(0)).hasMessageContaining("had not ended after 0 seconds");
        }
    }

    @Test
    void missingJarsAreNamed() {
        assertThatThrownBy(() -> SparkClassPath.under(scratch))
                .hasMessageContaining(scratch + "/lab/spark/target/jars");
    }

    private SparkProcess start(String... arguments) throws IOException {
        return SparkProcess.start(classPath(), scratch, Program.class.getName(), List.of(arguments), progress::add);
    }

    private static SparkClassPath classPath() {
        Path classes = Path.of("target/test-classes").toAbsolutePath();
        return new SparkClassPath(classes, classes, classes);
    }

    /** Prints lines, then ends with the status, or never. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            int lines = Integer.parseInt(arguments[0]);
            System.err.println("progress: printing");
            for (int i = 1; i <= lines; i++) {
                System.out.println("line " + i);
            }
            if (arguments[1].equals("forever")) {
                new CountDownLatch(1).await();
            }
            System.out.println("{\"lines\":" + lines + "}");
            System.err.println("what went wrong");
            System.exit(Integer.parseInt(arguments[1]));
        }
    }
}
