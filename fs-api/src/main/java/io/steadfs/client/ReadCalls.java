package io.steadfs.client;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.OpenedFile;
import io.steadfs.client.read.ReadOptions;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.read.VisibleLength;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.layout.Layout;
import io.steadfs.path.FsPath;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens files for reading. Thread-safe. */
public final class ReadCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ReadCalls.class);

    private final PathCalls calls;
    private final AttributeCalls attributes;
    private final ReadOptions options;

    ReadCalls(PathCalls calls, AttributeCalls attributes, ReadOptions options) {
        this.calls = calls;
        this.attributes = attributes;
        this.options = options;
    }

    /** As {@link SteadFs#open(FsPath)}. */
    public CompletableFuture<StripedReader> open(FsPath path) {
        return fetching(openUnread(path));
    }

    /** As {@link SteadFs#openToldLength}. */
    public CompletableFuture<StripedReader> openToldLength(FsPath path, long told) {
        return fetching(openUnread(path, Math.max(0, told)));
    }

    /** As {@link SteadFs#openUnread}. */
    public CompletableFuture<StripedReader> openUnread(FsPath path) {
        return openUnread(path, Long.MAX_VALUE);
    }

    private CompletableFuture<StripedReader> openUnread(FsPath path, long mostIfWritten) {
        Operation operation = calls.operation(path);
        return Futures.then(attributes.toRead(operation, path), info -> open(operation, path, info, mostIfWritten));
    }

    /**
     * Makes the reader of a small file fetch the bytes at once. If the caller has cancelled the opening, releases the
     * fetched bytes.
     */
    private static CompletableFuture<StripedReader> fetching(CompletableFuture<StripedReader> opening) {
        CompletableFuture<StripedReader> result = new CompletableFuture<>();
        Futures.whenDone(opening, (reader, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Futures.unwrap(failure));
                return;
            }
            try {
                reader.fetchIfSmall();
            } catch (RuntimeException | Error e) {
                // The fetch only saves time. A later read asks for the bytes again, and reports the error if the error
                // persists.
                LOG.warn(
                        "{} could not be fetched when it was opened",
                        reader.info().handle(),
                        e);
            }
            if (!result.complete(reader)) {
                reader.unbuffer();
            }
        });
        Futures.whenDone(result, (reader, failure) -> {
            if (result.isCancelled()) {
                opening.cancel(true);
            }
        });
        return result;
    }

    /** As {@link SteadFs#open(FsPath, FileInfo)}. */
    public CompletableFuture<StripedReader> open(FsPath path, FileInfo known) {
        return !known.directory() && known.layout().isEmpty()
                ? open(path)
                : open(calls.operation(path), path, known, Long.MAX_VALUE);
    }

    private CompletableFuture<StripedReader> open(Operation operation, FsPath path, FileInfo info, long mostIfWritten) {
        if (info.directory()) {
            return CompletableFuture.failedFuture(new FsException(FsError.IS_A_DIRECTORY, path + " is a directory"));
        }
        if (info.layout().isEmpty()) {
            return CompletableFuture.failedFuture(
                    new FsException(FsError.FAULT, path + " was answered without a layout"));
        }
        Layout layout = info.layout().get();
        if (layout.replicas() != 1) {
            return CompletableFuture.failedFuture(new FsException(
                    FsError.NOT_SUPPORTED, path + " has " + layout.replicas() + " copies; this client reads one"));
        }
        Courier courier = calls.courier();
        CompletableFuture<Long> length = info.open()
                ? new OpenedFile(courier, operation, info)
                        .telling(Futures.map(
                                new VisibleLength(courier, operation).of(info, layout),
                                visible -> Math.min(visible, mostIfWritten)))
                : CompletableFuture.completedFuture(info.length());
        return Futures.map(length, visible -> new StripedReader(courier, operation, info, layout, visible, options));
    }
}
