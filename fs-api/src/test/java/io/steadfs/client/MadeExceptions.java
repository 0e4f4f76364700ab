package io.steadfs.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordingFile;

/** Finds out which exceptions this process makes, thrown or not, on whatever thread. The flight recorder sees them. */
final class MadeExceptions {
    private static final String EVENT = "jdk.JavaExceptionThrow";

    private MadeExceptions() {}

    /** Something that may make exceptions. */
    interface Work {
        void run() throws IOException;
    }

    /** The simple names of those exceptions that were made during the work and are of one of the classes. */
    static List<String> during(Work work, Set<Class<? extends Throwable>> classes) throws IOException {
        Path events = Files.createTempFile("exceptions", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(EVENT).withoutThreshold();
            recording.start();
            work.run();
            recording.stop();
            recording.dump(events);
            return RecordingFile.readAllEvents(events).stream()
                    .filter(event -> event.getEventType().getName().equals(EVENT))
                    .map(event -> event.<RecordedClass>getValue("thrownClass").getName())
                    .flatMap(name ->
                            classes.stream().filter(each -> each.getName().equals(name)))
                    .map(Class::getSimpleName)
                    .toList();
        } finally {
            Files.delete(events);
        }
    }
}
