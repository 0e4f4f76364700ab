package io.steadfs.lab.bench.figure;

import io.steadfs.wire.Kind;
import java.util.List;

/** What the clients of a series do in a round. */
enum Work {
    /** Each create makes a new file. */
    CREATE(Kind.CREATE),
    /** Each stat is of a file that was made before. */
    STAT(Kind.STAT),
    /** Each move gives a directory of the client another parent. */
    MOVE(Kind.RENAME),
    /** Each write adds 64 KiB to a large file of the client, and waits until they are durable. */
    WRITE(Kind.WRITE),
    /** Each makes a new file, writes up to 64 KiB to it and closes it. */
    SMALL(Kind.CREATE),
    /** Each renames a new directory that only its client has used, as a job does with the directory of a task. */
    TASK(Kind.RENAME),
    /** Each renames a directory of which all shards have copies. */
    KNOWN(Kind.RENAME);

    /** Those that the user may choose among. */
    static final List<Work> FREE = List.of(CREATE, STAT, MOVE);

    /** The kind of message whose arrivals are counted at each server. */
    final Kind kind;

    Work(Kind kind) {
        this.kind = kind;
    }

    /** Whether IO servers get the messages; else shards do. */
    boolean isOfIoServers() {
        return this == WRITE;
    }
}
