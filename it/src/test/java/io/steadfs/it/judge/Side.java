package io.steadfs.it.judge;

import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;

/** A file system with its users: the superuser first, then one who has no rights of his own. */
final class Side implements AutoCloseable {
    static final String USER = "alice";
    static final String GROUP = "staff";

    private static final Path ROOT = new Path("/");
    /** Names below the root: HDFS always has a quota of them, and takes the largest number for no change. */
    private static final long MOST = Long.MAX_VALUE - 1;

    private final List<Actor> actors = new ArrayList<>();

    Side(URI uri, Configuration conf) throws IOException, InterruptedException {
        actors.add(actor(uri, conf));
        UserGroupInformation alice = UserGroupInformation.createUserForTesting(USER, new String[] {GROUP});
        actors.add(alice.doAs((PrivilegedExceptionAction<Actor>) () -> actor(uri, conf)));
    }

    private static Actor actor(URI uri, Configuration conf) throws IOException {
        return new Actor(FileSystem.newInstance(uri, conf), FileContext.getFileContext(uri, conf));
    }

    /** Makes the directory in which an episode takes place, open to all. */
    void begin(String name) throws IOException {
        Path directory = new Path("/" + name);
        FileSystem superuser = actors.get(0).files();
        asFormatted(superuser);
        superuser.mkdirs(directory);
        superuser.setPermission(directory, new FsPermission((short) 0777));
        for (Actor actor : actors) {
            actor.begin(directory);
        }
    }

    void end() throws IOException {
        for (Actor actor : actors) {
            actor.end();
        }
        FileSystem superuser = actors.get(0).files();
        for (FileStatus each : superuser.listStatus(ROOT)) {
            superuser.delete(each.getPath(), true);
        }
    }

    /** The root, which steps may have changed. */
    private static void asFormatted(FileSystem superuser) throws IOException {
        superuser.setPermission(ROOT, new FsPermission((short) 0755));
        superuser.setOwner(ROOT, System.getProperty("user.name"), "supergroup");
        long now = System.currentTimeMillis();
        superuser.setTimes(ROOT, now, now);
        for (String xattr : superuser.listXAttrs(ROOT)) {
            superuser.removeXAttr(ROOT, xattr);
        }
        try {
            superuser.removeAcl(ROOT);
            superuser.setQuota(ROOT, MOST, HdfsConstants.QUOTA_RESET);
            superuser.unsetStoragePolicy(ROOT);
        } catch (UnsupportedOperationException e) {
            // Then no step can have set one.
        }
    }

    Actor actor(int number) {
        return actors.get(number);
    }

    @Override
    public void close() throws IOException {
        for (Actor actor : actors) {
            actor.files().close();
        }
    }
}
