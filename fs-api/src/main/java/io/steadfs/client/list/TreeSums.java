package io.steadfs.client.list;

import io.steadfs.client.call.Futures;
import io.steadfs.layout.Layout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sums up a tree that lies on several shards, from a listing of all its files and directories. Symbolic links are not
 * counted. The sums do not show the state of one moment. Changes during the listing may be included or not.
 */
public final class TreeSums {
    private final Listing listing;
    private final CompletableFuture<ContentSummary> result = new CompletableFuture<>();
    private boolean isFile;
    private long length;
    private long files;
    private long directories;
    private long space;
    private volatile @Nullable CompletableFuture<?> underWay;

    private TreeSums(Listing listing) {
        this.listing = listing;
    }

    public static CompletableFuture<ContentSummary> of(Listing listing) {
        TreeSums sums = new TreeSums(listing);
        var unused = sums.result.whenComplete((summary, failure) -> {
            CompletableFuture<?> page = sums.underWay;
            if (sums.result.isCancelled() && page != null) {
                page.cancel(true);
            }
        });
        sums.goOn();
        return sums.result;
    }

    private void goOn() {
        if (result.isDone()) {
            return;
        }
        if (listing.isOver()) {
            result.complete(new ContentSummary(length, files, isFile ? directories : directories + 1, space));
            return;
        }
        CompletableFuture<List<Entry>> page = listing.next();
        underWay = page;
        var unused = page.whenComplete((entries, failure) -> {
            if (entries != null) {
                entries.forEach(this::add);
                goOn();
            } else {
                result.completeExceptionally(Futures.unwrap(failure));
            }
        });
    }

    private void add(Entry entry) {
        FileInfo info = entry.info();
        isFile |= entry.name().isEmpty();
        if (info.directory()) {
            directories++;
        } else if (info.linkTarget().isEmpty()) {
            files++;
            length += info.length();
            space += info.length() * info.layout().map(Layout::replicas).orElse(1);
        }
    }
}
