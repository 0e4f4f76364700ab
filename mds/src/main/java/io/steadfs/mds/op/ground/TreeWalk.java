package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentPosition;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks through everything below a directory, depth first. Each directory comes before its contents. The names of a
 * directory come in hash order. Memory grows only with the depth, because only one scan is open at a time. After the
 * last entry of a directory, the walk opens a new scan of the parent, behind the directory's name. The caller must call
 * {@link #next} before reading the first entry, and must close the walk.
 */
public final class TreeWalk implements AutoCloseable {
    private final ReadView view;
    private final List<Handle> directories = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private DirentScan scan;
    private boolean atEntry;

    public TreeWalk(ReadView view, Handle top) {
        this.view = view;
        directories.add(top);
        scan = Dirents.scan(view, top);
    }

    /**
     * Enters the directory of the present entry, before the directory's first entry. After the directory's last entry,
     * {@link #next} goes on behind the entry of the directory.
     */
    public void enter(Handle directory) {
        names.add(entryName());
        directories.add(directory);
        open(directory, DirentPosition.START);
    }

    /** Goes on in the present directory behind the name. The name need not exist. */
    public void skipBehind(String name) {
        open(directories.get(directories.size() - 1), DirentPosition.after(name));
    }

    /** Enters the directory with this name, as if {@link #next} had found the name. */
    public void resumeIn(String name, Handle directory) {
        names.add(name);
        directories.add(directory);
        open(directory, DirentPosition.START);
    }

    public boolean next() {
        while (!scan.next()) {
            if (names.isEmpty()) {
                atEntry = false;
                return false;
            }
            directories.remove(directories.size() - 1);
            skipBehind(names.remove(names.size() - 1));
        }
        atEntry = true;
        return true;
    }

    /** The directory that has the present entry. */
    public Handle directory() {
        return directories.get(directories.size() - 1);
    }

    /** The name of the present entry. */
    public String entryName() {
        if (!atEntry) {
            throw new IllegalStateException("the walk is at no entry");
        }
        return scan.name();
    }

    public DirentRow entry() {
        return scan.row();
    }

    /** The names from the top directory to the present entry, joined by '/'. */
    public String path() {
        return names.isEmpty() ? entryName() : String.join("/", names) + "/" + entryName();
    }

    private void open(Handle directory, DirentPosition after) {
        scan.close();
        atEntry = false;
        scan = Dirents.scan(view, directory, after, -1L);
    }

    @Override
    public void close() {
        scan.close();
    }
}
