package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
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
 * The directories from the root down to one, as a walk found them, so that the next walk along them reads none of their rows: jobs ask for
 * thousands of names in the same directory. Whoever follows it is asked for permission at each of them as ever.
 *
 * <p>Only of directories of one shard and one partition each, and of names that no rename holds.
 *
 * @param chain from the root on
 * @param rows of those
 */
record KnownWay(List<Handle> chain, List<DirectoryRow> rows) implements Derived {
    private static final int BYTES_OF_STEP = 400;

    /** @param path from the root, without the name that is looked for */
    private record Question(String path) {}

    static Optional<KnownWay> kept(List<String> names, ReadView view) {
        return view.keepsDerived()
                ? view.kept(new Question(String.join("/", names))).map(KnownWay.class::cast)
                : Optional.empty();
    }

    /**
     * The way that was just walked; none where some directory before the last one may be in parts.
     *
     * @param chain what the names led to, and the root before
     */
    static Optional<KnownWay> of(List<Handle> chain, ReadView view) {
        List<DirectoryRow> rows = new ArrayList<>(chain.size());
        for (Handle each : chain) {
            rows.add(Directories.find(view, each).orElseThrow());
        }
        boolean areWhole = rows.stream().allMatch(DirectoryNode::hasOnePartition);
        return areWhole ? Optional.of(new KnownWay(List.copyOf(chain), rows)) : Optional.empty();
    }

    void keep(List<String> names, ReadView view) {
        Sources sources = new Sources();
        for (int i = 0; i < chain.size(); i++) {
            Directories.addTo(sources, chain.get(i));
            if (i < names.size()) {
                Dirents.addTo(sources, DirentKey.of(chain.get(i), names.get(i)));
            }
        }
        view.keep(new Question(String.join("/", names)), this, sources);
    }

    @Override
    public int sizeBytes() {
        return BYTES_OF_STEP * chain.size();
    }
}
