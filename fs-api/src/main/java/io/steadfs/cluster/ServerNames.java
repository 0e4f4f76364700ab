package io.steadfs.cluster;

import io.steadfs.wire.proto.ClusterMap;
import java.util.Locale;

/**
 * Makes the name of a server for people, from the server's role and number, for example {@code mds-1} or {@code io-3}.
 */
public final class ServerNames {
    private ServerNames() {}

    public static String of(ClusterMap.Server server) {
        return of(server.getRole(), server.getId());
    }

    /** @param id number of the server within its role */
    public static String of(ClusterMap.Role role, int id) {
        return role.name().toLowerCase(Locale.ROOT) + "-" + id;
    }
}
