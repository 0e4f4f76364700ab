package io.steadfs.hadoop;

import io.steadfs.client.list.FileInfo;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;

/** The user for whom a mount acts: the short name and the groups. */
record MountUser(String name, Set<String> groups) {
    MountUser {
        groups = Set.copyOf(groups);
    }

    /** The user whom Hadoop has logged in. */
    static MountUser current() throws IOException {
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        return new MountUser(user.getShortUserName(), user.getGroupsSet());
    }

    /** The user in the form that requests carry. */
    Caller caller() {
        return Caller.newBuilder().setUser(name).addAllGroups(groups).build();
    }

    /**
     * Whether the mode lets this user read the file. A superuser may read every file, but only the server knows who is
     * a superuser.
     */
    boolean modeLetsRead(FileInfo file) {
        int bits = name.equals(file.owner())
                ? file.mode() >> 6
                : groups.contains(file.group()) ? file.mode() >> 3 : file.mode();
        return (bits & Modes.READ) != 0;
    }
}
