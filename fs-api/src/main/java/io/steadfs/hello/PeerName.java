package io.steadfs.hello;

import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.Hello;

/**
 * Which server of which file system. Where it names the server that somebody wants to reach, parts may be unknown.
 *
 * @param fileSystem its identity; empty where it is not known
 * @param role {@code ROLE_UNSPECIFIED} where the server is not known
 * @param number of the server within its role; 0 where it is not known
 */
public record PeerName(String fileSystem, ClusterMap.Role role, int number) {
    /** Whoever answers. */
    public static final PeerName ANYBODY = new PeerName("", ClusterMap.Role.ROLE_UNSPECIFIED, 0);

    /** Any server of the file system. */
    public static PeerName anyOf(String fileSystem) {
        return fileSystem.isEmpty() ? ANYBODY : new PeerName(fileSystem, ClusterMap.Role.ROLE_UNSPECIFIED, 0);
    }

    static PeerName of(String fileSystem, Hello.Server server) {
        return new PeerName(fileSystem, server.getRole(), server.getId());
    }

    /** Whether one server is named, and not just any. */
    public boolean isOneServer() {
        return role == ClusterMap.Role.MDS || role == ClusterMap.Role.IO;
    }

    /** Whether this server may be the one that is meant. */
    public boolean fits(PeerName meant) {
        return (meant.fileSystem.isEmpty() || meant.fileSystem.equals(fileSystem))
                && (!meant.isOneServer() || (meant.role == role && meant.number == number));
    }

    Hello.Server server() {
        return Hello.Server.newBuilder().setRole(role).setId(number).build();
    }

    /** As {@code io-3 of file system 7f...}. */
    @Override
    public String toString() {
        return serverText() + " of " + (fileSystem.isEmpty() ? "any file system" : "file system " + fileSystem);
    }

    private String serverText() {
        return switch (role) {
            case MDS -> "mds-" + number;
            case IO -> "io-" + number;
            default -> "any server";
        };
    }
}
