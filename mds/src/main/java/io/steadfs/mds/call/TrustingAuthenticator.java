package io.steadfs.mds.call;

import io.steadfs.mds.pipeline.Principal;
import io.steadfs.server.Administrators;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.RequestHeader;
import java.util.OptionalInt;
import java.util.Set;

/** Trusts every caller, like HDFS without Kerberos. Use it only in a network in which every user can be trusted. */
public final class TrustingAuthenticator implements Authenticator {
    private final Administrators administrators;

    /** @param supergroup group whose members pass every permission check, like the superuser */
    public TrustingAuthenticator(String superuser, String supergroup) {
        this.administrators = new Administrators(superuser, supergroup);
    }

    @Override
    public Principal authenticate(RequestHeader header, String peer) {
        Caller caller = header.getCaller();
        Set<String> groups = Set.copyOf(caller.getGroupsList());
        return new Principal(
                caller.getUser(),
                groups,
                administrators.include(caller),
                header.getSession(),
                header.getRequestId(),
                header.getTraceId(),
                OptionalInt.empty());
    }
}
