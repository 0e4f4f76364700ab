package io.steadfs.hadoop;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves a name by one request, in the two ways of Hadoop. */
final class Renaming {
    private static final Logger LOG = LoggerFactory.getLogger(Renaming.class);

    private Renaming() {}

    /** As {@code mv}: into an existing directory, but onto nothing else that exists. Returns false where that is not possible. */
    static boolean into(SteadFs client, FsPath source, FsPath target) throws FsException {
        try {
            // If the source has that name already, nothing moves. That is a failure only for a directory, which would
            // move onto itself.
            return client.rename(source, target, RenameMode.INTO_DIRECTORY)
                    || !source.equals(target)
                    || !client.stat(source).directory();
        } catch (FsException e) {
            switch (e.error()) {
                case NOT_FOUND, ALREADY_EXISTS, IS_A_DIRECTORY, NOT_EMPTY, INVALID_RENAME -> {
                    LOG.debug("rename of {} to {} returns false", source, target, e);
                    return false;
                }
                default -> throw e;
            }
        }
    }

    /**
     * To exactly the target name. An existing target is replaced only if wanted.
     *
     * @return false where source and target are the same
     * @throws FsException INVALID_RENAME also for a directory whose target is a file
     */
    static boolean onto(SteadFs client, FsPath source, FsPath target, boolean overwrite) throws FsException {
        try {
            return client.rename(source, target, overwrite ? RenameMode.OVERWRITE : RenameMode.NO_REPLACE);
        } catch (FsException e) {
            if (e.error() == FsError.INVALID_RENAME && source.equals(target)) {
                return false;
            }
            if (e.error() == FsError.NOT_A_DIRECTORY && is(client, source, true) && is(client, target, false)) {
                // The target itself is in the way, not one of its parents.
                throw new FsException(FsError.INVALID_RENAME, target + " is a file, " + source + " a directory", e);
            }
            throw e;
        }
    }

    private static boolean is(SteadFs client, FsPath path, boolean directory) throws FsException {
        return client.find(path).map(found -> found.directory() == directory).orElse(false);
    }
}
