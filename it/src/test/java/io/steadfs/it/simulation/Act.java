package io.steadfs.it.simulation;

import io.steadfs.client.RenameMode;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.util.Optional;

/**
 * One operation on {@link Names} as its client saw it.
 *
 * @param other target of a rename
 * @param endNanos {@link #NEVER} where nobody told the client what became of it: then it may still happen, or never
 * @param answer error or OK; empty where nobody told
 * @param handle of what was made or found
 */
record Act(
        String client,
        String user,
        Step.IoOperation verb,
        int name,
        int other,
        RenameMode mode,
        long beginNanos,
        long endNanos,
        Optional<FsError> answer,
        Handle handle,
        boolean directory) {
    static final long NEVER = Long.MAX_VALUE;

    @Override
    public String toString() {
        return client + " " + verb + " " + Names.path(name)
                + (verb == Step.IoOperation.RENAME ? " to " + Names.path(other) + " " + mode : "") + " from "
                + beginNanos / 1000 + " us"
                + (answer.isEmpty()
                        ? ", never told"
                        : " to " + endNanos / 1000 + " us: " + answer.get()
                                + (handle.equals(Handle.NONE) ? "" : " " + handle));
    }
}
