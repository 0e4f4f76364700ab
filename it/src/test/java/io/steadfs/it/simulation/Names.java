package io.steadfs.it.simulation;

import io.steadfs.client.RenameMode;
import io.steadfs.path.FsPath;

/**
 * Names that clients fight for: a few in each of a few directories, which are spread over the shards. The last directory is
 * removed with its contents and made again; the others move away and back, and are closed and opened. Every second
 * directory has its names in another one below it: so a third shard may have copies of its name and its row. And deep
 * names of a wild tree, in which directories with contents move and go.
 */
final class Names {
    static final int DIRECTORIES = 5;
    static final int IN_DIRECTORY = 3;
    static final int COUNT = DIRECTORIES * IN_DIRECTORY;

    /** Wild names: each of these at each of three levels. */
    private static final int WILD_LETTERS = 3;

    static final int WILD_COUNT = WILD_LETTERS + WILD_LETTERS * WILD_LETTERS + 27;

    private Names() {}

    /** Whether the name's directory is removed and made again; else it moves, and is closed. */
    static boolean comesAndGoes(int name) {
        return name / IN_DIRECTORY == DIRECTORIES - 1;
    }

    static FsPath directory(int number) {
        return FsPath.ROOT.child("d" + number);
    }

    /** The directory that the names are in: that one, or one below it. */
    static FsPath holder(int number) {
        return holder(number, directory(number));
    }

    private static FsPath holder(int number, FsPath directory) {
        return number % 2 == 1 ? directory.child("in") : directory;
    }

    static FsPath path(int name) {
        return path(name, directory(name / IN_DIRECTORY));
    }

    private static FsPath path(int name, FsPath directory) {
        return holder(name / IN_DIRECTORY, directory).child("n" + name % IN_DIRECTORY);
    }

    /** A directory that stays, mostly on another shard than the root. */
    static FsPath far() {
        return FsPath.ROOT.child("far");
    }

    /** Where the name's directory is moved to: to another name beside it, or below another directory. */
    static FsPath away(int name, RenameMode mode) {
        FsPath parent = mode == RenameMode.OVERWRITE ? far() : FsPath.ROOT;
        return parent.child("e" + name / IN_DIRECTORY);
    }

    /** The path of the name while its directory is away. */
    static FsPath pathAway(int name, RenameMode mode) {
        return path(name, away(name, mode));
    }

    static FsPath wildRoot() {
        return FsPath.ROOT.child("wild");
    }

    static FsPath wild(int name) {
        FsPath path = wildRoot();
        int left = name;
        int level = WILD_LETTERS;
        int depth = 1;
        while (left >= level) {
            left -= level;
            level *= WILD_LETTERS;
            depth++;
        }
        for (int i = 0; i < depth; i++) {
            path = path.child("w" + left % WILD_LETTERS);
            left /= WILD_LETTERS;
        }
        return path;
    }
}
