package io.steadfs.ioserver.file;

import io.steadfs.handle.Handle;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps files open for the lanes and for reads. Each user holds a reference to a file and releases the reference after
 * use. Unused files stay open up to a bound. Above the bound, the file that was not used for the longest time is closed
 * first. The number of open files exceeds the bound only while all open files are in use. Thread-safe.
 */
public final class OpenFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    private final DataFiles files;
    private final int most;
    /** Open files by handle. The file that was not used for the longest time comes first. Guarded by this object. */
    private final LinkedHashMap<Handle, Shared> open = new LinkedHashMap<>(64, 0.75f, true);

    /** @param most number of files that may stay open; files in use may exceed this number */
    public OpenFiles(DataFiles files, int most) {
        this.files = files;
        this.most = most;
    }

    /**
     * Returns a reference to the handle's file, and opens the file if it is not open. The file is opened under the
     * lock, because opening takes little time.
     */
    public synchronized Reference take(Handle handle) throws IOException {
        Shared shared = open.get(handle);
        if (shared == null) {
            shared = new Shared(files.open(handle));
            open.put(handle, shared);
        }
        return refer(shared);
    }

    /** Makes the handle's file empty and returns a reference to the file. */
    public synchronized Reference create(Handle handle) throws IOException {
        forget(handle);
        Shared shared = new Shared(files.create(handle));
        open.put(handle, shared);
        return refer(shared);
    }

    /** Makes the next user open the file anew. The newly opened file does not report failures of the old one again. */
    public synchronized void openAnew(Handle handle) {
        forget(handle);
    }

    /**
     * Deletes the file. Users that hold a reference may still read the file's contents. The file is deleted before it
     * is forgotten, so that nobody opens it in between.
     */
    public void delete(Handle handle) throws IOException {
        files.delete(handle);
        synchronized (this) {
            forget(handle);
        }
    }

    public synchronized int size() {
        return open.size();
    }

    /** Closes the unused files. Each file in use is closed after its last reference is released. */
    @Override
    public synchronized void close() {
        for (Shared shared : open.values()) {
            shared.forgotten = true;
            closeUnused(shared);
        }
        open.clear();
    }

    private Reference refer(Shared shared) {
        shared.users++;
        Iterator<Map.Entry<Handle, Shared>> eldest = open.entrySet().iterator();
        while (open.size() > most && eldest.hasNext()) {
            Shared candidate = eldest.next().getValue();
            if (candidate.users == 0) {
                eldest.remove();
                candidate.forgotten = true;
                closeUnused(candidate);
            }
        }
        return new Reference(shared);
    }

    private void forget(Handle handle) {
        Shared shared = open.remove(handle);
        if (shared != null) {
            shared.forgotten = true;
            closeUnused(shared);
        }
    }

    private synchronized void release(Shared shared) {
        shared.users--;
        closeUnused(shared);
    }

    private static void closeUnused(Shared shared) {
        if (shared.forgotten && shared.users == 0) {
            try {
                shared.file.close();
            } catch (IOException e) {
                LOG.warn("closing a file failed", e);
            }
        }
    }

    private static final class Shared {
        final DataFile file;
        int users;
        /** Whether the file is no longer in the map. A forgotten file is closed with its last reference. */
        boolean forgotten;

        Shared(DataFile file) {
            this.file = file;
        }
    }

    /** One user's reference to an open file. */
    public final class Reference implements AutoCloseable {
        private final Shared shared;
        private boolean released;

        private Reference(Shared shared) {
            this.shared = shared;
        }

        public DataFile file() {
            return shared.file;
        }

        /** Releases the file. A second call does nothing. */
        @Override
        public void close() {
            synchronized (OpenFiles.this) {
                if (!released) {
                    released = true;
                    release(shared);
                }
            }
        }
    }
}
