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
 * Walks everything below a directory, depth first: each directory comes before its contents, and names come in hash order.
 * Memory grows only with the depth, because only one scan is open at a time. Going up seeks behind the name that led down.
 * Call {@link #next} before reading the first entry, and close the walk.
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

    /** Goes on in this directory, before its first entry. After its entries {@link #next} returns to the entries behind it. */
    public void enter(Handle directory) {
        names.add(entryName());
        directories.add(directory);
        open(directory, DirentPosition.START);
    }

    /** Goes on behind the name in the present directory, whether or not the name exists. */
    public void skipBehind(String name) {
        open(directories.get(directories.size() - 1), DirentPosition.after(name));
    }

    /** Goes on in the directory with this name, as if {@link #next} had met it. */
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

    /** The directory that holds the entry. */
    public Handle directory() {
        return directories.get(directories.size() - 1);
    }

    /** The name of the entry. */
    public String entryName() {
        if (!atEntry) {
            throw new IllegalStateException("the walk is at no entry");
        }
        return scan.name();
    }

    public DirentRow entry() {
        return scan.row();
    }

    /** Names from the top down to the entry, joined by '/'. */
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
