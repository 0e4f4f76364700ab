package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.rpc.ServerAddress;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link StoppedHolder} and what it is told. */
public final class HolderProcess implements AutoCloseable {
    private static final long END_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;

    private HolderProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
        this.in = process.outputWriter();
    }

    /** @param settings KEY=VALUE, of the client */
    public static HolderProcess start(ServerAddress server, List<String> settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(server.toString()));
        arguments.addAll(settings);
        return new HolderProcess(
                new ProcessBuilder(JavaProgram.command(List.of("-Xmx256m"), StoppedHolder.class, arguments))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    public long pid() {
        return process.pid();
    }

    /** Fails unless it answers so. */
    public void say(String line, String answer) throws IOException {
        in.write(line + "\n");
        in.flush();
        assertThat(out.readLine()).as(line).isEqualTo(answer);
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
