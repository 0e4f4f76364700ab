package io.steadfs.client.call;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request, and the shard or server that must answer the request. A question does not contain the address of the
 * server.
 *
 * @param step name of the step for counters and timeline
 * @param elsewhere makes the request for the next shard of a path walk, from a reply's header; empty if the request
 *     names no path
 * @param whole the same request with whole paths, which any shard may be asked; empty if there is none
 */
public record Question(
        Kind kind,
        String step,
        Destination destination,
        MessageLite body,
        Optional<Function<ReplyHeader, MessageLite>> elsewhere,
        Optional<Whole> whole) {

    /**
     * A request whose paths begin at the root.
     *
     * @param path the path that says which shard can answer; for a rename that of the target
     * @param body makes the request; the parameter is whether there is a reason to ask the shard
     */
    record Whole(String path, Function<Boolean, MessageLite> body) {
        static Location location(String path, boolean isHinted) {
            return Location.newBuilder()
                    .setPath(path)
                    .setWhole(true)
                    .setHinted(isHinted)
                    .build();
        }
    }

    /**
     * Makes a request that begins with a path walk from the root. After a CONTINUE reply, the walk goes on from the
     * directory that the reply names.
     */
    public static Question walk(Kind kind, String step, String path, Function<Location, MessageLite> body) {
        return walk(
                kind,
                step,
                Handle.ROOT.shard(),
                fromRoot(path),
                body,
                Optional.of(new Whole(path, isHinted -> body.apply(Whole.location(path, isHinted)))));
    }

    /**
     * Makes a request that begins with a path walk from the given directory.
     *
     * @param token the token that a shard gave for the directory, in the same operation
     */
    public static Question walkFrom(
            Kind kind, String step, Handle directory, ByteString token, Function<Location, MessageLite> body) {
        return walk(kind, step, directory.shard(), location(directory.value(), token, ""), body, Optional.empty());
    }

    private static Question walk(
            Kind kind,
            String step,
            int shard,
            Location start,
            Function<Location, MessageLite> body,
            Optional<Whole> whole) {
        return new Question(
                kind,
                step,
                new Destination.Shard(shard),
                body.apply(start),
                Optional.of(header -> body.apply(rest(header))),
                whole);
    }

    /**
     * Makes a request about two paths. Both path walks begin at the root. After a CONTINUE reply, each walk goes on
     * from the directory that the reply names for that walk.
     */
    public static Question twoWalks(Kind kind, String step, String source, String target, Body body) {
        return new Question(
                kind,
                step,
                new Destination.Shard(Handle.ROOT.shard()),
                body.of(fromRoot(source), fromRoot(target)),
                Optional.of(header -> body.of(
                        rest(header),
                        location(
                                header.getContinueTargetDirectory(),
                                header.getContinueTargetToken(),
                                header.getContinueTargetPath()))),
                Optional.of(new Whole(
                        target,
                        isHinted -> body.of(Whole.location(source, isHinted), Whole.location(target, isHinted)))));
    }

    /** Makes the message body of a request about a source and a target. */
    public interface Body {
        MessageLite of(Location source, Location target);
    }

    private static Location fromRoot(String path) {
        return Location.newBuilder().setPath(path).build();
    }

    /** Where the walk goes on, after a CONTINUE reply. */
    private static Location rest(ReplyHeader header) {
        return location(header.getContinueDirectory(), header.getContinueToken(), header.getContinuePath());
    }

    private static Location location(long start, ByteString token, String path) {
        return Location.newBuilder()
                .setStart(start)
                .setToken(token)
                .setPath(path)
                .build();
    }

    /** Makes a request about a metafile, which goes to the metafile's shard. */
    public static Question metafile(Kind kind, String step, Handle metafile, MessageLite body) {
        return new Question(
                kind, step, new Destination.Shard(metafile.shard()), body, Optional.empty(), Optional.empty());
    }

    /** Makes a request to the shard with this number. */
    public static Question shard(Kind kind, String step, int shard, MessageLite body) {
        return new Question(kind, step, new Destination.Shard(shard), body, Optional.empty(), Optional.empty());
    }

    public static Question ioServer(Kind kind, String step, int server, MessageLite body) {
        return new Question(kind, step, new Destination.IoServer(server), body, Optional.empty(), Optional.empty());
    }
}
