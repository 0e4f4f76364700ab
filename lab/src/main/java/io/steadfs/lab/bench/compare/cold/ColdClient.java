package io.steadfs.lab.bench.compare.cold;

import io.steadfs.lab.bench.compare.system.ClientOpening;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;

/** The main class of a new client process. It opens a file system, does one task and prints what it measured. */
public final class ColdClient {
    private ColdClient() {}

    /** @param arguments those of {@link ColdTask#arguments}, then those of {@link ClientOpening#arguments} */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> all = List.of(arguments);
        ColdTask task = ColdTask.parse(all.subList(0, ColdTask.ARGUMENTS));
        ClientOpening opening = ClientOpening.parse(all.subList(ColdTask.ARGUMENTS, all.size()));
        long begun = System.nanoTime();
        try (FileSystem fileSystem = opening.open()) {
            FirstOperations measured = FirstOperations.measure(fileSystem, task, System.nanoTime() - begun);
            System.out.println(measured.line());
            System.out.flush();
        }
        // Threads that Hadoop leaves behind must not keep the process.
        System.exit(0);
    }

    /**
     * Does a task with a client that is open, so that servers have something to do before they are measured. Makes the
     * files of the task first.
     */
    public static void rehearse(FileSystem fileSystem, ColdTask task) throws IOException, InterruptedException {
        task.work().prepare(fileSystem, task);
        FirstOperations.measure(fileSystem, task, 0);
    }
}
