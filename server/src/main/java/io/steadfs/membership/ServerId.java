package io.steadfs.membership;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ClusterMap;

/**
 * The name of a server within the file system, such as {@code mds-1} or {@code io-3}. The name never changes.
 *
 * @param number from 1 to 0x7fff. An IO server's number is also the owner id in its handles
 */
public record ServerId(ClusterMap.Role role, int number) implements Comparable<ServerId> {
    private static final String MDS = "mds-";
    private static final String IO = "io-";

    public ServerId {
        if (role != ClusterMap.Role.MDS && role != ClusterMap.Role.IO) {
            throw new IllegalArgumentException("no server has role " + role);
        }
        if (number < 1 || number >= Handle.FIRST_SHARD_OWNER) {
            throw new IllegalArgumentException(
                    "server number " + number + " is not in 1.." + (Handle.FIRST_SHARD_OWNER - 1));
        }
    }

    public static ServerId mds(int number) {
        return new ServerId(ClusterMap.Role.MDS, number);
    }

    public static ServerId io(int number) {
        return new ServerId(ClusterMap.Role.IO, number);
    }

    /**
     * Parses a text such as {@code io-3}.
     *
     * @throws IllegalArgumentException if the text does not name a server; the message names the text
     */
    public static ServerId parse(String text) {
        boolean mds = text.startsWith(MDS);
        if (!mds && !text.startsWith(IO)) {
            throw new IllegalArgumentException("'" + text + "' is not mds-N or io-N");
        }
        String digits = text.substring(mds ? MDS.length() : IO.length());
        if (!digits.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException("'" + text + "' is not mds-N or io-N");
        }
        return mds ? mds(Integer.parseInt(digits)) : io(Integer.parseInt(digits));
    }

    /** Orders servers by role and then by number. Metadata servers come before IO servers. */
    @Override
    public int compareTo(ServerId other) {
        int byRole = role.compareTo(other.role);
        return byRole != 0 ? byRole : Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return (role == ClusterMap.Role.MDS ? MDS : IO) + number;
    }
}
