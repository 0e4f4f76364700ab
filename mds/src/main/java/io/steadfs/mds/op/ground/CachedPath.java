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
 * The directories from the start of a walk down to one directory, as a walk found them. The next walk along them reads none
 * of their rows. This pays because jobs ask for thousands of names in the same directory. A walk that uses a cached path
 * still checks the caller's permission at each directory.
 *
 * <p>A path is cached only if all its directories are on this shard and were never split, no rename holds a name on it, and
 * its start was not cut off. So it depends on rows of this shard alone. If another shard changes something on it, by a move,
 * a removal or a hold, it changes one of these rows. A walk that goes on at another shard has two cached paths, each on the
 * shard of its directories.
 *
 * @param chain the directories, beginning with the start
 * @param rows rows of these directories
 */
record CachedPath(List<Handle> chain, List<DirectoryRow> rows) implements Derived {
    private static final int BYTES_OF_STEP = 400;

    /** @param path the path from the start, without the name that is looked for */
    private record Question(Handle start, String path) {}

    static Optional<CachedPath> kept(Handle start, List<String> names, ReadView view) {
        return view.keepsDerived()
                ? view.kept(new Question(start, String.join("/", names))).map(CachedPath.class::cast)
                : Optional.empty();
    }

    /**
     * The path that was just walked; empty if one of its directories may have several partitions.
     *
     * @param chain the start, and the directories to which the names led
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
