package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.store.Derived;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directories from the start of a walk down to one, as a walk found them, so that the next walk along them reads none of their rows: jobs
 * ask for thousands of names in the same directory. Whoever follows it is asked for permission at each of them as ever.
 *
 * <p>Only of directories that are all on this shard and never split, of names that no rename holds, and from a start that was not cut off. So
 * it rests on rows of this shard alone: whatever another shard changes of it, by a move, a removal or a hold, it changes in one of them. A walk
 * that goes on at another shard is two ways, each kept where its directories are.
 *
 * @param chain from the start on
 * @param rows of those
 */
record CachedPath(List<Handle> chain, List<DirectoryRow> rows) implements Derived {
    private static final int BYTES_OF_STEP = 400;

    /** @param path from the start, without the name that is looked for */
    private record Question(Handle start, String path) {}

    static Optional<CachedPath> kept(Handle start, List<String> names, ReadView view) {
        return view.keepsDerived()
                ? view.kept(new Question(start, String.join("/", names))).map(CachedPath.class::cast)
                : Optional.empty();
    }

    /**
     * The way that was just walked; none where some directory before the last one may be in parts.
     *
     * @param chain the start, and what the names led to
     */
    static Optional<CachedPath> of(List<Handle> chain, ReadView view) {
        List<DirectoryRow> rows = new ArrayList<>(chain.size());
        for (Handle each : chain) {
            rows.add(Directories.find(view, each).orElseThrow());
        }
        boolean areWhole = rows.stream().allMatch(DirectoryNode::hasOnePartition);
        return areWhole ? Optional.of(new CachedPath(List.copyOf(chain), rows)) : Optional.empty();
    }

    void keep(List<String> names, ReadView view) {
        Sources sources = new Sources();
        DeletionQueue.addTreeTo(sources, chain.get(0));
        for (int i = 0; i < chain.size(); i++) {
            Directories.addTo(sources, chain.get(i));
            if (i < names.size()) {
                Dirents.addTo(sources, DirentKey.of(chain.get(i), names.get(i)));
            }
        }
        view.keep(new Question(chain.get(0), String.join("/", names)), this, sources);
    }

    @Override
    public int sizeBytes() {
        return BYTES_OF_STEP * chain.size();
    }
}
