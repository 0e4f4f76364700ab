package io.steadfs.cluster;

import io.steadfs.wire.proto.ClusterMap;
import java.util.Locale;

/** The name of a server for people: its role and its number, {@code mds-1} or {@code io-3}. */
public final class ServerNames {
    private ServerNames() {}

    public static String of(ClusterMap.Server server) {
        return of(server.getRole(), server.getId());
    }

    /** @param id number within the role */
    public static String of(ClusterMap.Role role, int id) {
        return role.name().toLowerCase(Locale.ROOT) + "-" + id;
    }
}
