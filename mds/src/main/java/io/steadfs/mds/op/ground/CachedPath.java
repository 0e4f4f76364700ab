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
 * The directories of a path that a walk has found, with their rows. A later walk along the same path uses the cached
 * rows instead of reading the rows again. The cache pays off because jobs ask for thousands of names in the same
 * directory. A walk that uses a cached path still checks the caller's permission at each directory.
 *
 * <p>A path is cached only if all these conditions hold:
 *
 * <ul>
 *   <li>All directories of the path are on this shard.
 *   <li>No directory of the path above the last has several partitions.
 *   <li>No rename holds a name of the path.
 *   <li>The start of the path was not cut off from the namespace.
 * </ul>
 *
 * So a cached path depends only on rows of this shard. If another shard moves, removes or holds something on the path,
 * a row of this shard changes and the cached path is dropped. A walk over two shards has a cached path on each shard.
 *
 * @param chain the directories, beginning with the start of the walk
 * @param rows the row of each directory in {@code chain}
 */
record CachedPath(List<Handle> chain, List<DirectoryRow> rows) implements Derived {
    private static final int BYTES_OF_STEP = 400;

    /** @param path the names from the start to the directory, without the last name of the walk */
    private record Question(Handle start, String path) {}

    static Optional<CachedPath> kept(Handle start, List<String> names, ReadView view) {
        return view.keepsDerived()
                ? view.kept(new Question(start, String.join("/", names))).map(CachedPath.class::cast)
                : Optional.empty();
    }

    /**
     * The path that a walk has just taken; empty if one of its directories above the last has several partitions.
     *
     * @param chain the start of the walk, followed by the directory for each name on the path
     */
    static Optional<CachedPath> of(List<Handle> chain, ReadView view) {
        List<DirectoryRow> rows = new ArrayList<>(chain.size());
        for (Handle each : chain) {
            rows.add(Directories.find(view, each).orElseThrow());
        }
        boolean areWhole = rows.subList(0, rows.size() - 1).stream().allMatch(DirectoryNode::hasOnePartition);
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
