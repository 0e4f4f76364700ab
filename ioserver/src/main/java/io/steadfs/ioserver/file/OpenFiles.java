package io.steadfs.ioserver.file;

import io.steadfs.handle.Handle;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files kept open, shared by the lanes and by reads in flight. Each user holds a reference and gives it back; files that
 * nobody uses stay open, up to a bound, the longest unused going first. Above the bound are only files in use.
 * Thread-safe.
 */
public final class OpenFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    private final DataFiles files;
    private final int most;
    /** By handle, the longest unused first. Guarded by this. */
    private final LinkedHashMap<Handle, Shared> open = new LinkedHashMap<>(64, 0.75f, true);

    /** @param most files open at a time, as long as fewer are in use */
    public OpenFiles(DataFiles files, int most) {
        this.files = files;
        this.most = most;
    }

    /** A reference to the handle's file, opened if need be. Opening is done under the lock: it is short. */
    public synchronized Reference take(Handle handle) throws IOException {
        Shared shared = open.get(handle);
        if (shared == null) {
            shared = new Shared(files.open(handle));
            open.put(handle, shared);
        }
        return refer(shared);
    }

    /** A reference to the handle's file, made empty. */
    public synchronized Reference create(Handle handle) throws IOException {
        forget(handle);
        Shared shared = new Shared(files.create(handle));
        open.put(handle, shared);
        return refer(shared);
    }

    /** Lets the file be opened anew by whoever takes it next, with none of the failures that this process was told of. */
    public synchronized void openAnew(Handle handle) {
        forget(handle);
    }

    /** Deletes the file; whoever refers to it may still read what it held. In this order nobody opens it in between. */
    public void delete(Handle handle) throws IOException {
        files.delete(handle);
        synchronized (this) {
            forget(handle);
        }
    }

    public synchronized int size() {
        return open.size();
    }

    /** Closes what nobody uses; the rest is closed when it is given back. */
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
        /** No longer in the map: closed with its last reference. */
        boolean forgotten;

        Shared(DataFile file) {
            this.file = file;
        }
    }

    /** One user's hold of an open file. */
    public final class Reference implements AutoCloseable {
        private final Shared shared;
        private boolean released;

        private Reference(Shared shared) {
            this.shared = shared;
        }

        public DataFile file() {
            return shared.file;
        }

        /** Gives the file back; once is enough, more is harmless. */
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
