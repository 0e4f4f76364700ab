package io.steadfs.admin;

import java.util.List;

/**
 * One thing that is wrong. If several servers report the same thing, their reports make one fault.
 *
 * @param subject the server, shard or service that is at fault: {@code mds-2}, {@code io-3}, {@code shard 1},
 *     {@code zookeeper}, or {@code cluster}
 * @param isBroken true if the fault makes names or bytes unreachable
 * @param text a message for people. The message names the subject. If another server reported the fault, the message
 *     names that server too
 * @param toldBy names of the servers that reported the fault; empty if this process itself noticed the fault
 */
public record Fault(String subject, boolean isBroken, String text, List<String> toldBy) {
    public static final String ZOOKEEPER = "zookeeper";
    public static final String CLUSTER = "cluster";

    public Fault {
        toldBy = List.copyOf(toldBy);
    }
}
