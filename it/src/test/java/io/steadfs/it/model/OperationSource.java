package io.steadfs.it.model;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.it.model.ModelOperation.Append;
import io.steadfs.it.model.ModelOperation.Begin;
import io.steadfs.it.model.ModelOperation.Change;
import io.steadfs.it.model.ModelOperation.Content;
import io.steadfs.it.model.ModelOperation.CreateSymlink;
import io.steadfs.it.model.ModelOperation.Delete;
import io.steadfs.it.model.ModelOperation.Find;
import io.steadfs.it.model.ModelOperation.Finish;
import io.steadfs.it.model.ModelOperation.GetXattrs;
import io.steadfs.it.model.ModelOperation.ListDirectory;
import io.steadfs.it.model.ModelOperation.ListTree;
import io.steadfs.it.model.ModelOperation.Mkdirs;
import io.steadfs.it.model.ModelOperation.Read;
import io.steadfs.it.model.ModelOperation.RemoveXattr;
import io.steadfs.it.model.ModelOperation.Rename;
import io.steadfs.it.model.ModelOperation.SetXattr;
import io.steadfs.it.model.ModelOperation.Stat;
import io.steadfs.it.model.ModelOperation.StatLink;
import io.steadfs.it.model.ModelOperation.Summarize;
import io.steadfs.it.model.ModelOperation.WriteFile;
import io.steadfs.path.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** Random operations below a directory. Few names and paths used lately make them meet one another. */
final class OperationSource {
    private static final int MAX_DEPTH = 5;
    private static final int REMEMBERED = 64;

    /** Names in the wide directory, more than a page of a listing holds. */
    private static final int WIDE = 2500;

    private static final int STRIP = 64 << 10;

    /** The second a with dots is a letter and a combining mark: another name. */
    private static final List<String> NAMES =
            List.of("a", "b", "c", "d", "x y", "\u00e4", "a\u0308", "\u540d\u524d", "\ud83d\udc1f");

    private static final List<Integer> MODES = List.of(0777, 0755, 0775, 0700, 0711, 0555, 0444, 0644, 0600, 01777, 0);
    private static final List<String> USERS = List.of("alice", "bob", "carol");
    private static final List<String> GROUPS = List.of("staff", "writers", "readers");
    private static final List<String> XATTRS =
            List.of("user.a", "user.b", "user.\u00e4", "trusted.a", "security.a", "system.a", "other.a", "user.", "a");

    private final Random random;
    private final FsPath base;
    private final List<FsPath> lately = new ArrayList<>();

    OperationSource(Random random, FsPath base) {
        this.random = random;
        this.base = base;
    }

    /** The directory with many entries. */
    static FsPath wide(FsPath base) {
        return base.child("wide");
    }

    ModelOperation next() {
        int choice = random.nextInt(100);
        if (choice < 8) {
            return new Stat(path());
        } else if (choice < 10) {
            return new Find(path());
        } else if (choice < 22) {
            return new WriteFile(target(), options(), content());
        } else if (choice < 26) {
            return new WriteFile(target(), options(), new Content(0, 0));
        } else if (choice < 29) {
            return new WriteFile(wideName(), options(), new Content(0, 0));
        } else if (choice < 31) {
            return new Begin(random.nextInt(Participant.SLOTS), target(), options());
        } else if (choice < 34) {
            return new Append(random.nextInt(Participant.SLOTS), content());
        } else if (choice < 36) {
            return new Finish(random.nextInt(Participant.SLOTS));
        } else if (choice < 42) {
            return new Read(path(), random.nextInt(3 * STRIP), 1 + random.nextInt(1000));
        } else if (choice < 43) {
            return new StatLink(path());
        } else if (choice < 46) {
            return new CreateSymlink(target(), linkTarget(), random.nextInt(4) > 0, mode());
        } else if (choice < 56) {
            return new Mkdirs(target(), mode(), random.nextInt(4) > 0, random.nextInt(4) == 0);
        } else if (choice < 61) {
            return new ListDirectory(random.nextInt(20) == 0 ? wide(base) : path());
        } else {
            return change(choice);
        }
    }

    private ModelOperation change(int choice) {
        if (choice < 63) {
            return new ListTree(path(), random.nextBoolean());
        } else if (choice < 71) {
            return delete();
        } else if (choice < 84) {
            RenameMode[] modes = RenameMode.values();
            return new Rename(path(), target(), modes[random.nextInt(modes.length)]);
        } else if (choice < 91) {
            return new Change(pathBelow(), attributes());
        } else if (choice < 94) {
            Content value = new Content(random.nextInt(20), random.nextLong());
            return new SetXattr(marked(), xattr(), value, random.nextInt(3) > 0, random.nextInt(3) > 0);
        } else if (choice < 96) {
            return new GetXattrs(marked(), random.nextBoolean() ? List.of() : List.of(xattr()));
        } else if (choice < 98) {
            return new RemoveXattr(marked(), xattr());
        } else {
            return new Summarize(path());
        }
    }

    /** Mostly of what is deep, else there would soon be nothing. */
    private ModelOperation delete() {
        if (random.nextInt(4) == 0) {
            return new Delete(wideName(), random.nextBoolean());
        }
        FsPath path = path();
        boolean recursive = path.depth() - base.depth() > 1 ? random.nextBoolean() : random.nextInt(20) == 0;
        return new Delete(path, recursive);
    }

    /** More files in one directory than a page of a listing holds. */
    List<ModelOperation> manyNames() {
        List<ModelOperation> all = new ArrayList<>();
        for (int i = 0; i < WIDE; i += 2) {
            all.add(new WriteFile(wide(base).child("n" + i), CreateOptions.DEFAULT, new Content(0, 0)));
        }
        return all;
    }

    /** What the superuser does now and then, so that not all becomes forbidden or full. */
    ModelOperation tidy() {
        return random.nextInt(3) == 0
                ? new Delete(pathBelow(), true)
                : new Change(pathBelow(), AttributeChange.mode(0777));
    }

    /** One of few paths, so that an xattr is met that was set before. */
    private FsPath marked() {
        return random.nextInt(3) == 0 ? path() : base.child(NAMES.get(random.nextInt(3)));
    }

    private FsPath path() {
        return random.nextInt(50) == 0 ? base : pathBelow();
    }

    /** A path where something is likely to be. */
    private FsPath pathBelow() {
        if (random.nextInt(100) < 60 && !lately.isEmpty()) {
            return lately.get(random.nextInt(lately.size()));
        }
        return randomPath();
    }

    /** A path where something is about to be. */
    private FsPath target() {
        int choice = random.nextInt(100);
        if (choice < 5) {
            return path();
        }
        FsPath target = randomPath();
        if (choice < 35 && !lately.isEmpty()) {
            FsPath parent = lately.get(random.nextInt(lately.size()));
            target = parent.depth() < base.depth() + MAX_DEPTH ? parent.child(name()) : target;
        }
        if (lately.size() < REMEMBERED) {
            lately.add(target);
        } else {
            lately.set(random.nextInt(REMEMBERED), target);
        }
        return target;
    }

    private FsPath randomPath() {
        FsPath path = base.child(name());
        while (path.depth() < base.depth() + MAX_DEPTH && random.nextInt(5) > 1) {
            path = path.child(name());
        }
        return path;
    }

    /** Mostly a path where something is likely to be, also one that goes up, and one of another file system. */
    private String linkTarget() {
        return switch (random.nextInt(6)) {
            case 0 -> name();
            case 1 -> "../" + name();
            case 2 -> random.nextBoolean() ? "stead://elsewhere/a" : "";
            default -> path().toString();
        };
    }

    private FsPath wideName() {
        return wide(base).child("n" + random.nextInt(WIDE));
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private int mode() {
        if (random.nextInt(3) > 0) {
            return 0777;
        }
        return MODES.get(random.nextInt(MODES.size()));
    }

    private String xattr() {
        // Mostly those that work.
        return XATTRS.get(Math.min(random.nextInt(XATTRS.size()), random.nextInt(XATTRS.size())));
    }

    private CreateOptions options() {
        return new CreateOptions(
                mode(),
                random.nextBoolean(),
                random.nextInt(4) > 0,
                random.nextInt(3) > 0 ? 0777 : random.nextBoolean() ? CreateOptions.AS_ABOVE : mode(),
                1 + random.nextInt(4),
                STRIP,
                random.nextInt(4) == 0 ? 1 << 20 : 0,
                random.nextInt(4));
    }

    /** Mostly small, sometimes some strips in several columns. */
    private Content content() {
        int choice = random.nextInt(40);
        int length = choice == 0 ? random.nextInt(6 * STRIP) : choice < 4 ? random.nextInt(8192) : random.nextInt(200);
        return new Content(length, random.nextLong());
    }

    private AttributeChange attributes() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> AttributeChange.mode(mode());
            case 2 -> AttributeChange.replication(1 + random.nextInt(5));
            case 3 -> AttributeChange.owner(maybe(USERS), maybe(GROUPS));
            default -> AttributeChange.times(maybeTime(), maybeTime());
        };
    }

    private Optional<String> maybe(List<String> names) {
        return random.nextBoolean() ? Optional.of(names.get(random.nextInt(names.size()))) : Optional.empty();
    }

    private OptionalLong maybeTime() {
        return random.nextBoolean() ? OptionalLong.of(random.nextLong(Describe.CLOCK_TIMES)) : OptionalLong.empty();
    }
}
