package io.steadfs.hello;

import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.Hello;

/**
 * Names a server and its file system. The name of a server that a process wants to reach may have unknown parts.
 *
 * @param fileSystem identity of the file system; empty if unknown
 * @param role role of the server; unspecified if the server is unknown
 * @param number number of the server within its role; 0 if unknown
 */
public record PeerName(String fileSystem, ClusterMap.Role role, int number) {
    /** Any server of any file system. */
    public static final PeerName ANYBODY = new PeerName("", ClusterMap.Role.ROLE_UNSPECIFIED, 0);

    /** Any server of the file system. */
    public static PeerName anyOf(String fileSystem) {
        return fileSystem.isEmpty() ? ANYBODY : new PeerName(fileSystem, ClusterMap.Role.ROLE_UNSPECIFIED, 0);
    }

    static PeerName of(String fileSystem, Hello.Server server) {
        return new PeerName(fileSystem, server.getRole(), server.getId());
    }

    /** Whether this name says exactly which server is meant. */
    public boolean isOneServer() {
        return role == ClusterMap.Role.MDS || role == ClusterMap.Role.IO;
    }

    /**
     * Whether this server matches all known parts of the other name.
     *
     * @param meant name of the server that a process wants to reach
     */
    public boolean fits(PeerName meant) {
        return (meant.fileSystem.isEmpty() || meant.fileSystem.equals(fileSystem))
                && (!meant.isOneServer() || (meant.role == role && meant.number == number));
    }

    Hello.Server server() {
        return Hello.Server.newBuilder().setRole(role).setId(number).build();
    }

    /** For example {@code io-3 of file system 7f...}. */
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
