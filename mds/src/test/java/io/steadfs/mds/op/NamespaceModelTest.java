package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.name.ReclaimTree;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.RenameReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations, decided and replayed, against a tree of plain objects; the state is checked as a whole at the end. */
class NamespaceModelTest {
    private static final int OPERATIONS = 20_000;
    private static final String[] NAMES = {"a", "b", "c", "d", "ü"};
    private static final String[] RENAME_MODES = {"NO_REPLACE", "OVERWRITE", "INTO_DIRECTORY"};

    /** A file or directory of the model. */
    private static final class Item {
        private final boolean directory;
        private final Map<String, Item> children = new TreeMap<>();
        private final Set<String> xattrs = new HashSet<>();
        private int mode;
        private long modified;

        private Item(boolean directory, int mode, long now) {
            this.directory = directory;
            this.mode = mode;
            this.modified = now;
        }
    }

    private final Shell shell = new Shell();
    private final Item root = new Item(true, 0755, shell.now);
    private final SortedSet<Handle> datafiles = new TreeSet<>();
    private long nextDatafile = 1;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {20261121, 7})
    void behavesAsTheModel(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < OPERATIONS; i++) {
            String command = command(random);
            FsError expected = expect(command.split(" ", -1), shell.now + 1);
            Reply reply = shell.as("root", command);
            assertThat(reply.error())
                    .as(
                            "seed %s, operation %s: %s: %s",
                            seed, i, command, reply.header().getMessage())
                    .isEqualTo(expected);
            if (reply.isOk() && reply.body() instanceof RenameReply renamed) {
                assertThat(renamed.getMoved())
                        .as("seed %s, operation %s: %s", seed, i, command)
                        .isEqualTo(movedLast);
            }
            if (reply.isOk() && command.startsWith("create")) {
                attach(command.split(" ", -1)[1], random);
            }
            if (i % 10 == 0) {
                reclaim(1 + random.nextInt(5));
            }
            if (i % 1000 == 0) {
                compare("/", root);
            }
        }
        compare("/", root);
        StateCheck check = StateCheck.of(shell.state.view());
        assertThat(check.paths()).isEqualTo(paths("/", root, new TreeSet<>()));
        while (reclaim(100)) {
            shell.now++;
        }
        checkNothingIsLeft();
    }

    private String command(Random random) {
        String path = path(random);
        return switch (random.nextInt(14)) {
            case 0, 1 -> "create " + path;
            case 2 -> "create! " + path;
            case 3 -> "creates " + path;
            case 4 -> "mkdir " + path;
            case 5, 6 -> "mkdirs " + path;
            case 7 -> random.nextInt(3) == 0 ? "delete-r " + path : "delete " + path;
            case 8 -> "delete " + path;
            case 9, 10, 11 -> "rename " + path + " " + path(random) + " " + RENAME_MODES[random.nextInt(3)];
            case 12 ->
                random.nextBoolean()
                        ? "chmod " + Integer.toOctalString(random.nextInt(01000)) + " " + path
                        : "times " + random.nextInt(1000) + " " + path;
            default -> (random.nextBoolean() ? "setx user." : "rmx user.") + NAMES[random.nextInt(3)] + " " + path;
        };
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(5);
        for (int i = 0; i < depth; i++) {
            path.append('/').append(NAMES[random.nextInt(NAMES.length)]);
        }
        return path.toString();
    }

    // ---- the model ----

    private boolean movedLast;

    private static List<String> names(String path) {
        return path.equals("/") ? List.of() : List.of(path.substring(1).split("/", -1));
    }

    /** What the names lead to; the error where they lead nowhere. */
    private Optional<Item> find(List<String> names) {
        Item item = root;
        for (String name : names) {
            if (!item.directory || !item.children.containsKey(name)) {
                return Optional.empty();
            }
            item = item.children.get(name);
        }
        return Optional.of(item);
    }

    /** OK where every component but the last is a directory. */
    private FsError way(List<String> names) {
        for (int i = 1; i < names.size(); i++) {
            Optional<Item> item = find(names.subList(0, i));
            if (item.isEmpty()) {
                return FsError.NOT_FOUND;
            }
            if (!item.get().directory) {
                return FsError.NOT_A_DIRECTORY;
            }
        }
        return FsError.OK;
    }

    private static List<String> parent(List<String> names) {
        return names.subList(0, names.size() - 1);
    }

    private static String last(List<String> names) {
        return names.get(names.size() - 1);
    }

    private FsError expect(String[] words, long now) {
        String verb = words[0];
        if (verb.equals("rename")) {
            return rename(names(words[1]), names(words[2]), words[3], now);
        }
        List<String> names = names(words[words.length == 3 ? 2 : 1]);
        FsError way = way(names);
        if (way == FsError.NOT_A_DIRECTORY
                || (way != FsError.OK && !verb.equals("mkdirs") && !verb.equals("creates"))) {
            return way;
        }
        Optional<Item> found = find(names);
        return switch (verb) {
            case "create", "create!", "creates" -> create(names, found, verb, now);
            case "mkdir", "mkdirs" -> mkdir(names, found, now);
            default -> found.isEmpty() ? FsError.NOT_FOUND : change(words, names, found.get(), now);
        };
    }

    private Item makeParents(List<String> names, long now) {
        Item item = root;
        for (String name : parent(names)) {
            Item parent = item;
            item = item.children.computeIfAbsent(name, missing -> {
                parent.modified = now;
                return new Item(true, 0755, now);
            });
        }
        return item;
    }

    private FsError create(List<String> names, Optional<Item> found, String verb, long now) {
        if (found.isPresent() && found.get().directory) {
            return FsError.IS_A_DIRECTORY;
        }
        if (found.isPresent() && !verb.equals("create!")) {
            return FsError.ALREADY_EXISTS;
        }
        Item parent = makeParents(names, now);
        parent.children.put(last(names), new Item(false, 0644, now));
        parent.modified = now;
        return FsError.OK;
    }

    private FsError mkdir(List<String> names, Optional<Item> found, long now) {
        if (found.isPresent()) {
            return found.get().directory ? FsError.OK : FsError.ALREADY_EXISTS;
        }
        Item parent = makeParents(names, now);
        parent.children.put(last(names), new Item(true, 0755, now));
        parent.modified = now;
        return FsError.OK;
    }

    private FsError change(String[] words, List<String> names, Item item, long now) {
        switch (words[0]) {
            case "delete", "delete-r" -> {
                if (words[0].equals("delete") && !item.children.isEmpty()) {
                    return FsError.NOT_EMPTY;
                }
                Item parent = find(parent(names)).orElseThrow();
                parent.children.remove(last(names));
                parent.modified = now;
            }
            case "chmod" -> item.mode = Integer.parseInt(words[1], 8);
            case "times" -> item.modified = Long.parseLong(words[1]);
            case "setx" -> item.xattrs.add(words[1]);
            case "rmx" -> {
                return item.xattrs.remove(words[1]) ? FsError.OK : FsError.XATTR_NOT_FOUND;
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
        return FsError.OK;
    }

    private FsError rename(List<String> source, List<String> wanted, String mode, long now) {
        movedLast = false;
        if (way(source) != FsError.OK) {
            return way(source);
        }
        if (find(source).isEmpty()) {
            return FsError.NOT_FOUND;
        }
        Item moved = find(source).orElseThrow();
        if (way(wanted) == FsError.NOT_A_DIRECTORY) {
            return FsError.NOT_A_DIRECTORY;
        }
        if (wanted.equals(source)) {
            return FsError.OK;
        }
        List<String> target = wanted;
        if (mode.equals("INTO_DIRECTORY")
                && find(wanted).map(item -> item.directory).orElse(false)) {
            target = new ArrayList<>(wanted);
            target.add(last(source));
        }
        if (target.equals(source)) {
            return FsError.OK;
        }
        if (moved.directory
                && target.size() > source.size()
                && target.subList(0, source.size()).equals(source)) {
            return FsError.INVALID_RENAME;
        }
        if (way(target) != FsError.OK) {
            return way(target);
        }
        Optional<Item> old = find(target);
        if (old.isPresent()) {
            if (!mode.equals("OVERWRITE")) {
                return FsError.ALREADY_EXISTS;
            }
            if (old.get().directory != moved.directory) {
                return moved.directory ? FsError.NOT_A_DIRECTORY : FsError.IS_A_DIRECTORY;
            }
            if (!old.get().children.isEmpty()) {
                return FsError.NOT_EMPTY;
            }
        }
        Item from = find(parent(source)).orElseThrow();
        Item to = find(parent(target)).orElseThrow();
        from.children.remove(last(source));
        from.modified = now;
        to.children.put(last(target), moved);
        to.modified = now;
        movedLast = true;
        return FsError.OK;
    }

    private static SortedSet<String> paths(String prefix, Item directory, SortedSet<String> all) {
        directory.children.forEach((name, item) -> {
            all.add(prefix + name + (item.directory ? "/" : ""));
            paths(prefix + name + "/", item, all);
        });
        return all;
    }

    // ---- comparison ----

    private void compare(String path, Item item) {
        compare(path, item, shell.stat(path));
        if (!item.directory) {
            return;
        }
        ListReply list = shell.list(path);
        Set<String> listed = new TreeSet<>();
        for (Entry entry : list.getEntriesList()) {
            assertThat(listed.add(entry.getName())).isTrue();
            compare(
                    path + "/" + entry.getName(),
                    Optional.ofNullable(item.children.get(entry.getName())).orElseThrow(),
                    entry.getAttributes());
        }
        assertThat(listed).as("entries of %s", path).isEqualTo(item.children.keySet());
        item.children.forEach((name, child) -> compare(path.equals("/") ? "/" + name : path + "/" + name, child));
    }

    private void compare(String path, Item item, Attributes attributes) {
        assertThat(attributes.getType()).as(path).isEqualTo(item.directory ? FileType.DIRECTORY : FileType.FILE);
        assertThat(attributes.getMode()).as(path).isEqualTo(item.mode);
        assertThat(attributes.getModificationTime()).as(path).isEqualTo(item.modified);
        assertThat(attributes.getEntries()).as(path).isEqualTo(item.children.size());
    }

    // ---- what other parts of the server do ----

    /** Some files have datafiles, as if written. */
    private void attach(String path, Random random) {
        Handle handle = new Handle(shell.stat(path).getHandle());
        MetafileRow.Builder row = Metafiles.find(shell.state.view(), handle).orElseThrow().toBuilder();
        for (int i = 0; i < row.getLayout().getDatafilesCount(); i++) {
            if (random.nextBoolean()) {
                Handle datafile = Handle.of(row.getLayout().getServers(i), 0, nextDatafile++);
                row.getLayoutBuilder().setDatafiles(i, datafile.value());
                datafiles.add(datafile);
            }
        }
        shell.state.replay(List.of(new MetafileSet(handle, row.build())));
    }

    /** So many entries of the first queued tree; whether there was one. */
    private boolean reclaim(int entries) {
        List<Handle> trees = DeletionQueue.trees(shell.state.view(), Handle.NONE, 1);
        if (trees.isEmpty()) {
            return false;
        }
        shell.state.apply(new ReclaimTree(trees.get(0), entries).decide(shell.state.view(), shell.inputs()));
        return true;
    }

    private void checkNothingIsLeft() {
        ReadView view = shell.state.view();
        StateCheck check = StateCheck.of(view);
        assertThat(check.datafiles()).as("datafiles, listed or queued").isEqualTo(datafiles);
        for (Table table : List.of(ShardTables.PARTITION, ShardTables.XATTR)) {
            try (ReadView.Cursor cursor = view.scan(table, new byte[0], Keys.of(-1L))) {
                while (cursor.next()) {
                    assertThat(view.get(ShardTables.INODE, Keys.of(Keys.longAt(cursor.key(), 0))))
                            .as("owner of a row of %s", table)
                            .isPresent();
                }
            }
        }
        checkParents("/", Handle.ROOT, root);
    }

    private void checkParents(String path, Handle handle, Item item) {
        assertThat(shell.xattrs("root", path)).isEqualTo(item.xattrs);
        item.children.forEach((name, child) -> {
            String childPath = path.equals("/") ? "/" + name : path + "/" + name;
            Handle childHandle = new Handle(shell.stat(childPath).getHandle());
            if (child.directory) {
                assertThat(Directories.find(shell.state.view(), childHandle)
                                .orElseThrow()
                                .getParent())
                        .isEqualTo(handle.value());
            }
            checkParents(childPath, childHandle, child);
        });
    }
}
