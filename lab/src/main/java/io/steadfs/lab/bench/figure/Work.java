package io.steadfs.lab.bench.figure;

import io.steadfs.wire.Kind;

/** What the clients of a series do in a round. */
enum Work {
    /** Each create makes a new file. */
    CREATE(Kind.CREATE),
    /** Each stat is of a file that was made before. */
    STAT(Kind.STAT),
    /** Each move gives a directory of the client another parent. */
    MOVE(Kind.RENAME);

    /** The kind of message whose arrivals are counted at each shard. */
    final Kind kind;

    Work(Kind kind) {
        this.kind = kind;
    }
}
