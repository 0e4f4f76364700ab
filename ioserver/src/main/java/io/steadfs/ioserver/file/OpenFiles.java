package io.steadfs.ioserver.file;

import io.steadfs.handle.Handle;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files kept open, shared by the lanes and by reads in flight. Each user holds a reference and releases it. Unused files stay open up to a
 * bound; the longest unused is closed first. Above the bound there are only files in use. Thread-safe.
 */
public final class OpenFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    private final DataFiles files;
    private final int most;
    /** Open files by handle, the longest unused first. Guarded by this. */
    private final LinkedHashMap<Handle, Shared> open = new LinkedHashMap<>(64, 0.75f, true);

    /** @param most files open at a time, as long as fewer are in use */
    public OpenFiles(DataFiles files, int most) {
        this.files = files;
        this.most = most;
    }

    /** A reference to the handle's file, which is opened if need be. Opening happens under the lock, because it is short. */
    public synchronized Reference take(Handle handle) throws IOException {
        Shared shared = open.get(handle);
        if (shared == null) {
            shared = new Shared(files.open(handle));
            open.put(handle, shared);
        }
        return refer(shared);
    }

    /** A reference to the handle's file, which is made empty. */
    public synchronized Reference create(Handle handle) throws IOException {
        forget(handle);
        Shared shared = new Shared(files.create(handle));
        open.put(handle, shared);
        return refer(shared);
    }

    /** Makes the next user open the file anew, without the failures that the old file reported to this process. */
    public synchronized void openAnew(Handle handle) {
        forget(handle);
    }

    /**
     * Deletes the file. Users that hold a reference may still read its contents. The file is forgotten before it is deleted, so that nobody
     * opens it in between.
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

    /** Closes unused files; each other file is closed when its last reference is released. */
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
        /** Whether it is no longer in the map: then it is closed with its last reference. */
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

        /** Releases the file. Further calls are harmless. */
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
