package io.steadfs.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.KnownMap;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.Listing;
import io.steadfs.client.list.Page;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.client.list.TreeSums;
import io.steadfs.config.ConfigKey;
import io.steadfs.path.FsPath;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ContentSummaryReply;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.ListPartitionsReply;
import io.steadfs.wire.proto.ListPartitionsRequest;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.Location;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Lists directories and trees, and counts the contents of trees. Each method builds a request, and converts the reply
 * for its caller. Thread-safe.
 */
public final class ListCalls {
    static final ConfigKey<Long> PAGE = ConfigKey.number(
            "stead.client.list.page", 1_000, 1, 1_000_000, "entries", "Entries of a listing fetched at a time.");

    private final PathCalls calls;
    private final int pageEntries;

    ListCalls(PathCalls calls, int pageEntries) {
        this.calls = calls;
        this.pageEntries = pageEntries;
    }

    /** As {@link SteadFs#list(FsPath)}. No request is sent until the caller asks for the first page. */
    Listing list(FsPath path) {
        Operation operation = calls.operation(path);
        return new Listing((start, cursor) -> list(operation, path, cursor, pageEntries));
    }

    /** As {@link SteadFs#list(FsPath, ByteString, int)}. */
    public CompletableFuture<ListPage> list(FsPath path, ByteString cursor, int limit) {
        return Futures.map(
                list(calls.operation(path), path, cursor, limit), page -> new ListPage(page.entries(), page.cursor()));
    }

    private CompletableFuture<Page> list(Operation operation, FsPath path, ByteString cursor, int limit) {
        return calls.ask(
                        operation,
                        Kind.LIST,
                        "list",
                        path,
                        ListReply.class,
                        location -> ListRequest.newBuilder()
                                .setLocation(location)
                                .setCursor(cursor)
                                .setLimit(limit)
                                .setWantLayout(true)
                                .setPacked(true)
                                .build())
                .thenApply(reply -> new Page(Answers.entries(reply), List.of(), reply.getCursor()));
    }

    /** As {@link SteadFs#listTree}. No request is sent until the caller asks for the first page. */
    public Listing listTree(FsPath path, boolean wantDirectories) {
        return listTree(path, wantDirectories, false);
    }

    private Listing listTree(FsPath path, boolean wantDirectories, boolean whole) {
        Operation operation = calls.operation(path);
        return new Listing((start, cursor) -> listTree(operation, path, start, wantDirectories, whole, cursor));
    }

    private CompletableFuture<Page> listTree(
            Operation operation,
            FsPath path,
            Optional<Page.Elsewhere> start,
            boolean wantDirectories,
            boolean whole,
            ByteString cursor) {
        String step = "list tree";
        Function<Location, MessageLite> body = location -> ListTreeRequest.newBuilder()
                .setLocation(location)
                .setCursor(cursor)
                .setLimit(pageEntries)
                .setWantLayout(true)
                .setWantDirectories(wantDirectories)
                .build();
        Question question = start.isPresent()
                ? Question.walkFrom(
                        Kind.LIST_TREE,
                        step,
                        start.get().directory(),
                        start.get().token(),
                        body)
                : Question.walk(Kind.LIST_TREE, step, path.relative(), body);
        return new PathCalls.Answer<>(calls.courier().ask(operation, question), ListTreeReply.class)
                .thenApply(reply -> Answers.treePage(reply, wantDirectories, whole));
    }

    /** As {@link SteadFs#partitions}. */
    public CompletableFuture<List<PartitionInfo>> partitions(FsPath path) {
        return calls.ask(
                        calls.operation(path),
                        Kind.LIST_PARTITIONS,
                        "list partitions",
                        path,
                        ListPartitionsReply.class,
                        location -> ListPartitionsRequest.newBuilder()
                                .setLocation(location)
                                .build())
                .thenApply(reply -> reply.getPartitionsList().stream()
                        .map(each -> new PartitionInfo(
                                each.getNumber(),
                                each.getDepth(),
                                each.getShard(),
                                each.getEntries(),
                                each.hasCountedWith() ? each.getCountedWith() : each.getNumber()))
                        .toList());
    }

    /** As {@link SteadFs#contentSummary}. */
    public CompletableFuture<ContentSummary> contentSummary(FsPath path) {
        return Futures.then(
                KnownMap.of(calls.courier()),
                cluster ->
                        cluster.shards().isOne() ? summaryOfOneShard(path) : TreeSums.of(listTree(path, true, true)));
    }

    private CompletableFuture<ContentSummary> summaryOfOneShard(FsPath path) {
        return calls.ask(
                        calls.operation(path),
                        Kind.CONTENT_SUMMARY,
                        "content summary",
                        path,
                        ContentSummaryReply.class,
                        location -> ContentSummaryRequest.newBuilder()
                                .setLocation(location)
                                .build())
                .thenApply(reply -> new ContentSummary(
                        reply.getLength(), reply.getFiles(), reply.getDirectories(), reply.getSpace()));
    }
}
