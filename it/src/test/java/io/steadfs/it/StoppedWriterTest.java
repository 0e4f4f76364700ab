package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer whose process stands still longer than its session lasts, while another client has the file recovered and
 * appends to it. When it goes on, it learns that the file is not its own any more, and changes nothing.
 */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class StoppedWriterTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void aWriterThatStoodStillTooLongChangesNothing(@TempDir Path data) throws Exception {
        FsPath path = FsPath.parse("/file");
        byte[] appended = new byte[StoppedWriter.STRIP + 5];
        Arrays.fill(appended, (byte) 3);
        try (LocalProcess cluster =
                        LocalProcess.start(data.resolve("cluster"), 0, Map.of("stead.session.duration", "2000"));
                SteadFs fs = cluster.connect()) {
            Process child = child(cluster, path);
            try (BufferedReader out = child.inputReader();
                    BufferedWriter in = child.outputWriter()) {
                assertThat(out.readLine()).isEqualTo("FLUSHED");
                in.write("more\n");
                in.flush();
                assertThat(out.readLine()).isEqualTo("WRITTEN");
                Signals.send(child.pid(), "STOP");

                // Nobody asks for it: the session ends, and that closes the file.
                await().atMost(SOON).until(() -> fs.isFileClosed(path));
                try (FileWriter writer = fs.append(path)) {
                    assertThat(writer.position()).isEqualTo(StoppedWriter.FIRST_BYTES + StoppedWriter.MORE_BYTES);
                    writer.write(appended, 0, appended.length);
                }

                Signals.send(child.pid(), "CONT");
                in.write("more\n");
                in.flush();
                assertThat(out.readLine()).startsWith("REFUSED").containsAnyOf("STALE_GENERATION", "SESSION_EXPIRED");
                child.getOutputStream().close();
                assertThat(out.readLine()).startsWith("REFUSED");
                assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                child.destroyForcibly();
            }
            byte[] expected = new byte[StoppedWriter.FIRST_BYTES + StoppedWriter.MORE_BYTES + appended.length];
            Arrays.fill(expected, 0, StoppedWriter.FIRST_BYTES, StoppedWriter.FIRST);
            Arrays.fill(expected, StoppedWriter.FIRST_BYTES, expected.length - appended.length, StoppedWriter.MORE);
            System.arraycopy(appended, 0, expected, expected.length - appended.length, appended.length);
            assertThat(fs.isFileClosed(path)).isTrue();
            assertThat(WritersComeAndGoTest.read(fs, path)).isEqualTo(expected);
        }
    }

    private static Process child(LocalProcess cluster, FsPath path) throws IOException {
        return new ProcessBuilder(JavaProgram.command(
                        List.of("-Xmx256m"),
                        StoppedWriter.class,
                        List.of(cluster.address().toString(), path.toString())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
