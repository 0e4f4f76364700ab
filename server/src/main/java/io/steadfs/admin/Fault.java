package io.steadfs.admin;

import java.util.List;

/**
 * One thing that is wrong. It is one fault, however many servers report it.
 *
 * @param subject the server, shard or service that is at fault: {@code mds-2}, {@code io-3}, {@code shard 1}, {@code zookeeper}, or
 *     {@code cluster}
 * @param isBroken whether names or bytes cannot be reached because of it
 * @param text for people; names the subject and, if another server reported the fault, that server
 * @param toldBy servers that reported it; empty if this process found it out by asking
 */
public record Fault(String subject, boolean isBroken, String text, List<String> toldBy) {
    public static final String ZOOKEEPER = "zookeeper";
    public static final String CLUSTER = "cluster";

    public Fault {
        toldBy = List.copyOf(toldBy);
    }
}
