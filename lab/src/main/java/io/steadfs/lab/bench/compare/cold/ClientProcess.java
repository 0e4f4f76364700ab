package io.steadfs.lab.bench.compare.cold;

import io.steadfs.cli.local.JavaCommand;
import io.steadfs.lab.bench.compare.system.ClientOpening;
import io.steadfs.lab.bench.compare.system.EndWithInput;
import io.steadfs.lab.bench.compare.system.ServerLog;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a {@link ColdClient} in a new process, with Java's options of the servers and the class path of this process. If
 * the client has a jar, the jar comes first on the class path, as with an application. The process ends with this one.
 *
 * @param log file that gets what clients say on standard error
 */
public record ClientProcess(Path log) {
    /** A client that takes longer is killed. */
    public static final long LONGEST_SECONDS = 120;

    /** @throws IOException if the client fails or takes too long; the message has the last lines of the log */
    public FirstOperations run(ClientOpening opening, ColdTask task) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(opening, task))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        // Killing the process ends its output, on which this thread waits.
        var unused = process.onExit()
                .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                .whenComplete((ended, late) -> {
                    if (late != null) {
                        process.destroyForcibly();
                    }
                });
        Optional<FirstOperations> measured = Optional.empty();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Optional<FirstOperations> told = FirstOperations.parse(line);
                measured = told.isPresent() ? told : measured;
            }
            int status = process.waitFor();
            if (status == 0 && measured.isPresent()) {
                return measured.get();
            }
            throw new IOException("a client that had to do " + task + " ended with " + status + "; "
                    + new ServerLog(log).lastWords());
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(ClientOpening opening, ColdTask task) {
        List<String> command = new ArrayList<>();
        command.add(JavaCommand.java());
        command.addAll(JavaCommand.options());
        command.add("-cp");
        command.add(opening.jar()
                .map(jar -> jar + File.pathSeparator + JavaCommand.classPath())
                .orElseGet(JavaCommand::classPath));
        command.add(EndWithInput.class.getName());
        command.add(ColdClient.class.getName());
        command.addAll(task.arguments());
        command.addAll(opening.withoutJar().arguments());
        return command;
    }
}
