package io.steadfs.it;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A directory right below the root on each shard, where the rounds of one contest take place. Directories made in them
 * are dealt out over the shards; those made below these stay with their parent.
 */
public final class Grounds {
    private static final int TRIES = 1000;

    private final List<FsPath> byShard;

    private Grounds(List<FsPath> byShard) {
        this.byShard = byShard;
    }

    public static Grounds make(SteadFs fs, String name, int shards) throws IOException {
        Map<Integer, FsPath> found = new TreeMap<>();
        for (int i = 0; found.size() < shards; i++) {
            if (i == TRIES) {
                throw new IOException(TRIES + " directories below the root are on the shards " + found.keySet()
                        + " only, of " + shards);
            }
            FsPath directory = FsPath.ROOT.child(name + "-" + i);
            int shard = fs.mkdirs(directory, 0755, false, true).handle().shard();
            if (found.putIfAbsent(shard, directory) != null) {
                fs.delete(directory, false);
            }
        }
        return new Grounds(List.copyOf(found.values()));
    }

    /** All directories. */
    public List<FsPath> all() {
        return byShard;
    }

    /** The directory on this shard. */
    public FsPath onShard(int shard) {
        return byShard.get(shard);
    }

    /**
     * A directory for one of the names that a round needs.
     *
     * @param place which of the round's names; over the rounds, each three places meet on all combinations of shards
     */
    public FsPath of(int round, int place) {
        int shards = byShard.size();
        int digit = round;
        for (int i = 0; i < place; i++) {
            digit /= shards;
        }
        return byShard.get(digit % shards);
    }

    /** All that is below them, by path. */
    public Map<FsPath, Handle> everything(SteadFs fs) throws IOException {
        Map<FsPath, Handle> all = new TreeMap<>(Comparator.comparing(FsPath::toString));
        for (FsPath ground : byShard) {
            Iterator<Entry> entries = fs.listTree(ground, true);
            while (entries.hasNext()) {
                Entry entry = entries.next();
                FsPath path = FsPath.parse(ground + "/" + entry.name());
                if (all.put(path, entry.info().handle()) != null) {
                    throw new IOException(path + " was listed twice");
                }
            }
        }
        return all;
    }
}
