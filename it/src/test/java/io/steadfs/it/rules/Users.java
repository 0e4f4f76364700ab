package io.steadfs.it.rules;

import io.steadfs.it.Cluster;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Who makes the calls: each has a file system of Hadoop. For several threads. */
final class Users implements AutoCloseable {
    static final String SUPERUSER = "superuser";

    private final Map<String, User> users = new LinkedHashMap<>();

    /**
     * Somebody who calls.
     *
     * @param context for calls that {@code FileSystem} does not offer to everybody
     */
    record User(FileSystem files, FileContext context) {}

    Users(URI uri) throws IOException, InterruptedException {
        add(SUPERUSER, Cluster.SUPERUSER, uri);
        add("owner", "owner", uri, "staff", "crew");
        add("member", "member", uri, "staff");
        add("other", "other", uri, "guests");
    }

    private void add(String role, String name, URI uri, String... groups) throws IOException, InterruptedException {
        Configuration conf = new Configuration();
        conf.set("fs.permissions.umask-mode", "022");
        conf.set("fs.symlinks.enabled", "true");
        // A request that is refused for ever is told soon.
        conf.set("fs.stead.client.operation.timeout", "20s");
        UserGroupInformation user = UserGroupInformation.createUserForTesting(name, groups);
        users.put(role, user.doAs((PrivilegedExceptionAction<User>)
                () -> new User(FileSystem.newInstance(uri, conf), FileContext.getFileContext(uri, conf))));
    }

    User of(String role) {
        User user = users.get(role);
        if (user == null) {
            throw new AssertionError("nobody is " + role);
        }
        return user;
    }

    FileSystem superuser() {
        return of(SUPERUSER).files();
    }

    @Override
    public void close() throws IOException {
        for (User user : users.values()) {
            user.files().close();
        }
    }
}
