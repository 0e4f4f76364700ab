package io.steadfs.fsck;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import java.util.Locale;

/**
 * Makes the directory {@code /lost+found} on demand. An existing directory is refused if the superuser does not own it,
 * or if other users may write into it. The directory has one partition, however many names it gets: a repair puts a name
 * straight into it.
 */
public final class LostAndFoundDirectory implements LostAndFound {
    private static final String PATH = "/lost+found";
    private static final int MODE = 0700;
    private static final int OTHERS_WRITE = 0022;

    private final SteadFs fs;
    private final String superuser;
    private boolean isOnOneShard;

    /** @param superuser the user who makes the requests */
    public LostAndFoundDirectory(SteadFs fs, String superuser) {
        this.fs = fs;
        this.superuser = superuser;
    }

    @Override
    public Handle directory() throws FsException {
        FsPath path = FsPath.parse(PATH);
        FileInfo found = fs.mkdirs(path, MODE, false, false);
        if (!found.owner().equals(superuser) || (found.mode() & OTHERS_WRITE) != 0) {
            throw new FsException(
                    FsError.PERMISSION_DENIED,
                    String.format(
                            Locale.ROOT,
                            "%s is %s's with mode %o: it must be %s's, and nobody else may write there",
                            PATH,
                            found.owner(),
                            found.mode(),
                            superuser));
        }
        if (!isOnOneShard) {
            fs.setXattr(path, DirectoryHints.MAX_SHARDS, new byte[] {'1'}, true, true);
            isOnOneShard = true;
        }
        return found.handle();
    }
}
