package io.steadfs.mds.call;

import io.steadfs.config.ConfigKey;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Set;

/** Believes every caller, as HDFS does without Kerberos: fit for a network whose every user may be trusted. */
public final class TrustingAuthenticator implements Authenticator {
    public static final ConfigKey<String> SUPERUSER = ConfigKey.text(
            "stead.superuser",
            "",
            "User who passes every permission check; where it is empty, the user who formatted the file system.");
    public static final ConfigKey<String> SUPERGROUP = ConfigKey.text(
            "stead.supergroup",
            "supergroup",
            "Group whose members pass every permission check, and the group of the root directory.");

    private final String superuser;
    private final String supergroup;

    /** @param supergroup its members pass every permission check, as the superuser does */
    public TrustingAuthenticator(String superuser, String supergroup) {
        this.superuser = superuser;
        this.supergroup = supergroup;
    }

    @Override
    public Asker authenticate(RequestHeader header, String peer) {
        Caller caller = header.getCaller();
        Set<String> groups = Set.copyOf(caller.getGroupsList());
        boolean all =
                !caller.getUser().isEmpty() && (caller.getUser().equals(superuser) || groups.contains(supergroup));
        return new Asker(caller.getUser(), groups, all, header.getSession());
    }
}
