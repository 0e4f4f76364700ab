package io.steadfs.hello;

import io.steadfs.wire.proto.ClusterMap;
import java.util.List;

/** Servers of a file system of tests, all with the same secret. */
public final class TestHello {
    public static final String FILE_SYSTEM = "00000000-0000-0000-0000-00000000fee1";
    public static final ClusterSecret SECRET = secret(7);

    private TestHello() {}

    /** Whose key's bytes are all this one. */
    public static ClusterSecret secret(int... keys) {
        return new ClusterSecret(
                java.util.Arrays.stream(keys).mapToObj(TestHello::key).toList());
    }

    private static byte[] key(int value) {
        byte[] key = new byte[ClusterSecret.BYTES];
        java.util.Arrays.fill(key, (byte) value);
        return key;
    }

    public static PeerName mds(int number) {
        return new PeerName(FILE_SYSTEM, ClusterMap.Role.MDS, number);
    }

    public static PeerName io(int number) {
        return new PeerName(FILE_SYSTEM, ClusterMap.Role.IO, number);
    }

    /** What the server says to whoever connects. */
    public static Welcome welcome(PeerName server) {
        return new Welcome(server, () -> SECRET);
    }

    /** As whom another server of the file system connects. */
    public static Introduction server() {
        return Introduction.server(mds(99), () -> SECRET);
    }

    /** Of a server in a simulation, whose network needs no HELLO. */
    public static PeerIdentity peerIdentity() {
        return PeerIdentity.server(mds(99));
    }

    /** Several roles in one text of a test's name. */
    public static List<PeerIdentity> everybody() {
        return List.of(PeerIdentity.client("alice"), PeerIdentity.admin("root"), peerIdentity());
    }
}
