package io.steadfs.client;

import io.steadfs.client.list.Entry;
import io.steadfs.client.list.Listing;
import io.steadfs.path.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** All pages of a listing, without a thread that waits for them. */
public final class Walk {
    private Walk() {}

    /** Entries of a directory, or of the file itself. */
    public static CompletableFuture<List<Entry>> directory(AsyncSteadFs fs, FsPath path) {
        return all(fs.lists().list(path), new ArrayList<>());
    }

    /** Everything below a directory, named from there. */
    public static CompletableFuture<List<Entry>> tree(AsyncSteadFs fs, FsPath path) {
        return all(fs.lists().listTree(path, true), new ArrayList<>());
    }

    private static CompletableFuture<List<Entry>> all(Listing listing, List<Entry> met) {
        if (listing.isOver()) {
            return CompletableFuture.completedFuture(met);
        }
        return listing.next().thenCompose(page -> {
            met.addAll(page);
            return all(listing, met);
        });
    }
}
