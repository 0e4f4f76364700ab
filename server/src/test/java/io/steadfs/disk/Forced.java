package io.steadfs.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** What this process synced with {@link java.nio.channels.FileChannel#force} meanwhile, as the virtual machine records it. */
public final class Forced {
    private Forced() {}

    /** Something that syncs. */
    @FunctionalInterface
    public interface Act {
        void run() throws IOException;
    }

    /** Paths as they were opened, in order, by any thread. */
    public static List<Path> during(Act act) throws IOException {
        Path file = Files.createTempFile("forced", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            act.run();
            recording.stop();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .map(event -> Path.of(event.getString("path")))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }
}
