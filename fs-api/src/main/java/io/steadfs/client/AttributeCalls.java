package io.steadfs.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.client.call.AttributeCache;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.GetXattrsReply;
import io.steadfs.wire.proto.GetXattrsRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RemoveXattrReply;
import io.steadfs.wire.proto.RemoveXattrRequest;
import io.steadfs.wire.proto.SetAttributesReply;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrReply;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Reads and changes attributes and extended attributes. Each method builds a request, and converts the reply for its
 * caller. Thread-safe.
 */
public final class AttributeCalls {
    private final PathCalls calls;

    AttributeCalls(PathCalls calls) {
        this.calls = calls;
    }

    /** As {@link SteadFs#stat}. */
    public CompletableFuture<FileInfo> stat(FsPath path) {
        Optional<Attributes> known = known(path);
        if (known.isPresent()) {
            return Futures.map(CompletableFuture.completedFuture(known.get()), Answers::info);
        }
        Optional<AttributeCache.Question> asked = beginQuestion(path);
        return calls.ask(
                        calls.operation(path),
                        Kind.STAT,
                        "stat",
                        path,
                        StatReply.class,
                        location -> request(location, false, 0))
                .thenApply(reply -> told(reply, asked));
    }

    private Optional<Attributes> known(FsPath path) {
        return calls.courier().attributes().flatMap(cache -> cache.find(path.relative()));
    }

    private Optional<AttributeCache.Question> beginQuestion(FsPath path) {
        return calls.courier().attributes().map(cache -> cache.ask(path.relative()));
    }

    private static FileInfo told(StatReply reply, Optional<AttributeCache.Question> asked) throws FsException {
        FileInfo info = Answers.info(reply.getAttributes());
        asked.ifPresent(question -> question.answered(reply.getAttributes()));
        return info;
    }

    /** As {@link SteadFs#statLink}. */
    public CompletableFuture<FileInfo> statLink(FsPath path) {
        return stat(
                calls.operation(path),
                path,
                "stat link",
                location -> request(location, false, 0).toBuilder()
                        .setKeepLink(true)
                        .build());
    }

    /** As {@link SteadFs#find}. No exception is made for an absent path. */
    public CompletableFuture<Optional<FileInfo>> find(FsPath path) {
        Optional<Attributes> known = known(path);
        if (known.isPresent()) {
            return Futures.map(
                    CompletableFuture.completedFuture(known.get()),
                    attributes -> Optional.of(Answers.info(attributes)));
        }
        Optional<AttributeCache.Question> asked = beginQuestion(path);
        return Futures.map(calls.find(Kind.STAT, "stat", path, location -> request(location, false, 0)), found -> {
            if (found.isEmpty()) {
                return Optional.empty();
            }
            StatReply body = found.get().body(StatReply.class);
            found.get().payload().release();
            return Optional.of(told(body, asked));
        });
    }

    /** As {@link SteadFs#access}. */
    public CompletableFuture<FileInfo> access(FsPath path, int bits) {
        return stat(calls.operation(path), path, "access", false, bits);
    }

    /** Asks for the attributes that the client needs to read the file. */
    CompletableFuture<FileInfo> toRead(Operation operation, FsPath path) {
        return stat(operation, path, "open", true, 0);
    }

    private CompletableFuture<FileInfo> stat(
            Operation operation, FsPath path, String step, boolean toRead, int access) {
        return stat(operation, path, step, location -> request(location, toRead, access));
    }

    private CompletableFuture<FileInfo> stat(
            Operation operation, FsPath path, String step, Function<Location, MessageLite> body) {
        return calls.ask(operation, Kind.STAT, step, path, StatReply.class, body)
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    private static StatRequest request(Location location, boolean toRead, int access) {
        return StatRequest.newBuilder()
                .setLocation(location)
                .setWantLayout(true)
                .setToRead(toRead)
                .setAccess(access)
                .build();
    }

    /** As {@link SteadFs#isFileClosed}. */
    public CompletableFuture<Boolean> isFileClosed(FsPath path) {
        return Futures.map(stat(calls.operation(path), path, "stat", false, 0), info -> {
            if (info.directory()) {
                throw new FsException(FsError.IS_A_DIRECTORY, path + " is a directory");
            }
            return !info.open();
        });
    }

    /** As {@link SteadFs#setAttributes}. */
    public CompletableFuture<FileInfo> setAttributes(FsPath path, AttributeChange change) {
        return calls.change(Kind.SET_ATTRIBUTES, "set attributes", path, SetAttributesReply.class, location -> {
                    SetAttributesRequest.Builder request =
                            SetAttributesRequest.newBuilder().setLocation(location);
                    change.mode().ifPresent(request::setMode);
                    change.owner().ifPresent(request::setOwner);
                    change.group().ifPresent(request::setGroup);
                    change.modificationTime().ifPresent(request::setModificationTime);
                    change.accessTime().ifPresent(request::setAccessTime);
                    change.replication().ifPresent(request::setReplication);
                    change.expected()
                            .ifPresent(seen -> request.setExpectedVersion(seen.version())
                                    .setExpectedHandle(seen.handle().value()));
                    return request.build();
                })
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    /** As {@link SteadFs#setXattr}. */
    public CompletableFuture<Void> setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) {
        ByteString bytes = ByteString.copyFrom(value);
        return calls.change(
                        Kind.SET_XATTR,
                        "set xattr",
                        path,
                        SetXattrReply.class,
                        location -> SetXattrRequest.newBuilder()
                                .setLocation(location)
                                .setName(name)
                                .setValue(bytes)
                                .setCreate(create)
                                .setReplace(replace)
                                .build())
                .done();
    }

    /** As {@link SteadFs#getXattrs}. */
    public CompletableFuture<Map<String, byte[]>> getXattrs(FsPath path, List<String> names) {
        return calls.ask(
                        calls.operation(path),
                        Kind.GET_XATTRS,
                        "get xattrs",
                        path,
                        GetXattrsReply.class,
                        location -> GetXattrsRequest.newBuilder()
                                .setLocation(location)
                                .addAllNames(names)
                                .build())
                .thenApply(reply -> {
                    Map<String, byte[]> values = new HashMap<>();
                    reply.getXattrsMap().forEach((name, value) -> values.put(name, value.toByteArray()));
                    return values;
                });
    }

    /** As {@link SteadFs#removeXattr}. */
    public CompletableFuture<Void> removeXattr(FsPath path, String name) {
        return calls.change(
                        Kind.REMOVE_XATTR,
                        "remove xattr",
                        path,
                        RemoveXattrReply.class,
                        location -> RemoveXattrRequest.newBuilder()
                                .setLocation(location)
                                .setName(name)
                                .build())
                .done();
    }
}
