package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.Damage;
import java.io.IOException;

/**
 * The store cannot read the rows of a datafile, or the rows contradict each other. Other datafiles are not affected.
 */
public final class UnreadableDatafileException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadableDatafileException(Handle datafile, String reason) {
        super(message(datafile, reason));
    }

    UnreadableDatafileException(Handle datafile, String reason, Throwable cause) {
        super(message(datafile, reason), cause);
    }

    /** Whether the store could not read its own files; false if the rows contradict each other. */
    public boolean isDamage() {
        return Damage.isOfStore(getCause());
    }

    private static String message(Handle datafile, String reason) {
        return "IO server " + datafile.owner() + ", datafile " + datafile + ": " + reason;
    }
}
