package io.steadfs.client;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request before it has a server: what is asked, and of whom.
 *
 * @param step name of the step for counters and timeline
 * @param elsewhere the same request from another location on, for path walks that cross shards; empty for requests that
 *     name handles
 */
record Question(
        Kind kind,
        String step,
        Destination destination,
        MessageLite body,
        Optional<Function<Location, MessageLite>> elsewhere) {

    /** A request that begins with a walk from the root, or from where a reply of CONTINUE says. */
    static Question walk(Kind kind, String step, String path, Function<Location, MessageLite> body) {
        Location start = Location.newBuilder().setPath(path).build();
        return new Question(
                kind, step, new Destination.Shard(Handle.ROOT.shard()), body.apply(start), Optional.of(body));
    }

    /** A request about a metafile, to its shard. */
    static Question metafile(Kind kind, String step, Handle metafile, MessageLite body) {
        return new Question(kind, step, new Destination.Shard(metafile.shard()), body, Optional.empty());
    }

    static Question ioServer(Kind kind, String step, int server, MessageLite body) {
        return new Question(kind, step, new Destination.IoServer(server), body, Optional.empty());
    }

    static Question home(Kind kind, String step, long session, MessageLite body) {
        return new Question(kind, step, new Destination.Home(session), body, Optional.empty());
    }
}
