package io.steadfs.admin;

import java.util.List;

/**
 * One thing that is wrong, told once, however many servers tell of it.
 *
 * @param subject whom or what it is about: {@code mds-2}, {@code io-3}, {@code shard 1}, {@code zookeeper}, or {@code cluster}
 * @param isBroken whether names or bytes cannot be reached because of it
 * @param text for people; names the subject and, where it is somebody else, who told it
 * @param toldBy servers that told it; empty where it was found out by asking
 */
public record Fault(String subject, boolean isBroken, String text, List<String> toldBy) {
    public static final String ZOOKEEPER = "zookeeper";
    public static final String CLUSTER = "cluster";

    public Fault {
        toldBy = List.copyOf(toldBy);
    }
}
