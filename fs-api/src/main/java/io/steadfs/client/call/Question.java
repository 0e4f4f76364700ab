package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request that has no server yet: what is asked, and of which shard or server.
 *
 * @param step name of the step for counters and timeline
 * @param elsewhere makes the same request for the place where a reply's header says that it goes on, for path walks that cross shards;
 *     empty for requests that name handles
 */
public record Question(
        Kind kind,
        String step,
        Destination destination,
        MessageLite body,
        Optional<Function<ReplyHeader, MessageLite>> elsewhere) {

    /** A request that begins with a walk from the root, or from the place that a reply of CONTINUE names. */
    public static Question walk(Kind kind, String step, String path, Function<Location, MessageLite> body) {
        return walk(
                kind,
                step,
                Handle.ROOT.shard(),
                Location.newBuilder().setPath(path).build(),
                body);
    }

    /** A request that begins with a walk from the directory. */
    public static Question walkFrom(Kind kind, String step, Handle directory, Function<Location, MessageLite> body) {
        Location start = Location.newBuilder().setStart(directory.value()).build();
        return walk(kind, step, directory.shard(), start, body);
    }

    private static Question walk(
            Kind kind, String step, int shard, Location start, Function<Location, MessageLite> body) {
        return new Question(
                kind,
                step,
                new Destination.Shard(shard),
                body.apply(start),
                Optional.of(header -> body.apply(location(header.getContinueDirectory(), header.getContinuePath()))));
    }

    /** A request about two paths. Both walks begin at the root, or each at the place that a reply of CONTINUE names for it. */
    public static Question twoWalks(Kind kind, String step, String source, String target, Body body) {
        return new Question(
                kind,
                step,
                new Destination.Shard(Handle.ROOT.shard()),
                body.of(location(0, source), location(0, target)),
                Optional.of(header -> body.of(
                        location(header.getContinueDirectory(), header.getContinuePath()),
                        location(header.getContinueTargetDirectory(), header.getContinueTargetPath()))));
    }

    /** The request about a source and a target. */
    public interface Body {
        MessageLite of(Location source, Location target);
    }

    private static Location location(long start, String path) {
        return Location.newBuilder().setStart(start).setPath(path).build();
    }

    /** A request about a metafile, to its shard. */
    public static Question metafile(Kind kind, String step, Handle metafile, MessageLite body) {
        return new Question(kind, step, new Destination.Shard(metafile.shard()), body, Optional.empty());
    }

    /** A request to a shard, whatever the request is about. */
    public static Question shard(Kind kind, String step, int shard, MessageLite body) {
        return new Question(kind, step, new Destination.Shard(shard), body, Optional.empty());
    }

    public static Question ioServer(Kind kind, String step, int server, MessageLite body) {
        return new Question(kind, step, new Destination.IoServer(server), body, Optional.empty());
    }

    static Question home(Kind kind, String step, long session, MessageLite body) {
        return new Question(kind, step, new Destination.Home(session), body, Optional.empty());
    }
}
