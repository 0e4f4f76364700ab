package io.steadfs.it.model;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** One operation of the model test. It prints as what it does, so that a difference can be repeated by hand. */
sealed interface ModelOperation {
    /** What else the writer of a removed file may be told, after recovery. */
    Set<String> TOLD_OF_REMOVAL = Set.of("refused NOT_WRITER");

    /** The answer as text. */
    String run(Participant by) throws IOException;

    /** Whether the answers are the same as far as they must be. */
    default boolean agrees(Answer expected, Answer actual) {
        return expected.text().equals(actual.text());
    }

    record Stat(FsPath path) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.info(by.fs().stat(path));
        }
    }

    record Find(FsPath path) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return by.fs().find(path).map(Describe::info).orElse("absent");
        }
    }

    /** Bytes that follow from length and seed. */
    record Content(int length, long seed) {
        byte[] bytes() {
            byte[] bytes = new byte[length];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }
    }

    /** Create, write in pieces, close. */
    record WriteFile(FsPath path, CreateOptions options, Content content) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            byte[] bytes = content.bytes();
            try (FileWriter writer = by.fs().create(path, options)) {
                int half = bytes.length / 2;
                writer.write(bytes, 0, half);
                writer.write(bytes, half, bytes.length - half);
                return "wrote " + writer.position();
            }
        }
    }

    /** Create, and keep it open. */
    record Begin(int slot, FsPath path, CreateOptions options) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            if (by.writers().containsKey(slot)) {
                return "slot in use";
            }
            by.writers().put(slot, by.fs().create(path, options));
            return "created";
        }
    }

    /** Write to a file that is open, and flush. */
    record Append(int slot, Content content) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            FileWriter writer = by.writers().get(slot);
            if (writer == null) {
                return "slot empty";
            }
            writer.write(content.bytes(), 0, content.length());
            writer.hflush();
            return "flushed " + writer.position();
        }

        @Override
        public boolean agrees(Answer expected, Answer actual) {
            return sameUnlessRemoved(expected, actual);
        }
    }

    record Finish(int slot) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            FileWriter writer = by.writers().remove(slot);
            if (writer == null) {
                return "slot empty";
            }
            writer.close();
            return "closed";
        }

        @Override
        public boolean agrees(Answer expected, Answer actual) {
            return sameUnlessRemoved(expected, actual);
        }
    }

    /** Who writes a file that somebody removed learns of it, but is not told when: removal goes on in the background. */
    private static boolean sameUnlessRemoved(Answer expected, Answer actual) {
        if (expected.text().equals(actual.text())) {
            return true;
        }
        boolean removed = expected.text().equals("refused NOT_FOUND");
        return removed && (!actual.isRefusal() || TOLD_OF_REMOVAL.contains(actual.text()));
    }

    /** Read all of a file, and a part of it. */
    record Read(FsPath path, long position, int length) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            try (FileReader reader = by.fs().open(path)) {
                return Describe.content(reader) + "; " + Describe.part(reader, position, length);
            }
        }
    }

    record Mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.info(by.fs().mkdirs(path, mode, createParents, exclusive));
        }
    }

    record CreateSymlink(FsPath path, String target, boolean createParents, int parentMode) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.info(by.fs().createSymlink(path, target, createParents, parentMode));
        }
    }

    record StatLink(FsPath path) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.info(by.fs().statLink(path));
        }
    }

    record ListDirectory(FsPath path) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.entries(by.fs().list(path));
        }
    }

    record ListTree(FsPath path, boolean wantDirectories) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.entries(by.fs().listTree(path, wantDirectories));
        }
    }

    record Delete(FsPath path, boolean recursive) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            by.fs().delete(path, recursive);
            return "deleted";
        }
    }

    record Rename(FsPath source, FsPath target, RenameMode mode) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return by.fs().rename(source, target, mode) ? "moved" : "stayed";
        }
    }

    record Change(FsPath path, AttributeChange change) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.info(by.fs().setAttributes(path, change));
        }
    }

    record SetXattr(FsPath path, String name, Content value, boolean create, boolean replace)
            implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            by.fs().setXattr(path, name, value.bytes(), create, replace);
            return "set";
        }
    }

    record GetXattrs(FsPath path, List<String> names) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.xattrs(by.fs().getXattrs(path, names));
        }
    }

    record RemoveXattr(FsPath path, String name) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            by.fs().removeXattr(path, name);
            return "removed";
        }
    }

    record Summarize(FsPath path) implements ModelOperation {
        @Override
        public String run(Participant by) throws IOException {
            return Describe.summary(by.fs().contentSummary(path));
        }
    }
}
