package io.steadfs.webui.check;

import io.steadfs.fsck.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Opens the stored work of checks for its users. All users of a work share one open work. After the last user has
 * finished, the work is closed. Thread-safe.
 */
final class OpenWork {
    private final Map<Path, Opened> opened = new HashMap<>();

    private static final class Opened {
        final Work work;
        int users;

        Opened(Work work) {
            this.work = work;
        }
    }

    /** What a user does with an open work. */
    interface Use<T> {
        T with(Work work) throws IOException;
    }

    /**
     * @throws IOException if the work cannot be opened, or if the use fails. If the work cannot be opened, the message
     * names its directory.
     */
    <T> T use(Path directory, Use<T> use) throws IOException {
        Work work = open(directory);
        try {
            return use.with(work);
        } finally {
            close(directory);
        }
    }

    private synchronized Work open(Path directory) throws IOException {
        Opened found = opened.get(directory);
        if (found == null) {
            found = new Opened(Work.open(directory));
            opened.put(directory, found);
        }
        found.users++;
        return found.work;
    }

    private synchronized void close(Path directory) {
        Opened found = opened.get(directory);
        if (found != null && --found.users == 0) {
            opened.remove(directory);
            found.work.close();
        }
    }
}
