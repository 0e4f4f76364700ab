package io.steadfs.hadoop;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renames a file or directory by one request. Hadoop has two kinds of rename. */
final class Renaming {
    private static final Logger LOG = LoggerFactory.getLogger(Renaming.class);

    private Renaming() {}

    /**
     * Renames as {@code mv} does. If the target is a directory, the source moves into that directory. Returns false if
     * the rename is not possible, for example because the target is a file.
     */
    static boolean into(SteadFs client, FsPath source, FsPath target) throws FsException {
        try {
            // If the source already has the target name, the client's rename returns false. Hadoop counts such a rename
            // as a failure only for a directory.
            return client.rename(source, target, RenameMode.INTO_DIRECTORY)
                    || !source.equals(target)
                    || !client.statLink(source).directory();
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
     * Renames the source to exactly the target name. An existing target is replaced only if {@code overwrite} is true.
     *
     * @return false if source and target are the same
     * @throws FsException INVALID_RENAME also if the source is a directory and the target is a file
     */
    static boolean onto(SteadFs client, FsPath source, FsPath target, boolean overwrite) throws FsException {
        try {
            return client.rename(source, target, overwrite ? RenameMode.OVERWRITE : RenameMode.NO_REPLACE);
        } catch (FsException e) {
            if (e.error() == FsError.INVALID_RENAME && source.equals(target)) {
                return false;
            }
            if (e.error() == FsError.NOT_A_DIRECTORY && is(client, source, true) && is(client, target, false)) {
                // NOT_A_DIRECTORY here means the target itself, not a parent of the target.
                throw new FsException(FsError.INVALID_RENAME, target + " is a file, " + source + " a directory", e);
            }
            throw e;
        }
    }

    /** Whether a directory, or something else, has the name. A symbolic link is something else. */
    private static boolean is(SteadFs client, FsPath path, boolean directory) throws FsException {
        try {
            return client.statLink(path).directory() == directory;
        } catch (FsException e) {
            // A link on the path was not there a moment ago, or the rename would have met it.
            if (e.error().isAbsence() || e.error() == FsError.UNRESOLVED_LINK) {
                return false;
            }
            throw e;
        }
    }
}
