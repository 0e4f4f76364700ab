package io.steadfs.it.simulation;

import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What files hold, by what their writers did and were told. Each writer's bytes are a function of the file, of the writer
 * and of the offset, so that a byte of another file, place or writer is known. Where a writer was told that its bytes are
 * durable, nobody else's may be; elsewhere any writer's may.
 */
final class Contents {
    /** The part of a file that one writer wrote. */
    private static final class Part {
        private final long writer;
        private final long generation;
        private final long start;
        private long end;
        private long durableEnd;
        /** When the writer was told for the first time that some of its bytes are visible. */
        private long visibleNanos = Act.NEVER;

        private boolean closing;

        Part(long writer, long generation, long start) {
            this.writer = writer;
            this.generation = generation;
            this.start = start;
            this.end = start;
            this.durableEnd = start;
        }
    }

    /** A length that some writer was told is durable, and when. */
    private record Told(long nanos, long length) {}

    /** A length that a writer of this generation was told is visible, and when. */
    private record Flushed(long generation, long nanos, long length) {}

    /** What is known of one file. */
    private static final class Known {
        private final List<Flushed> flushed = new ArrayList<>();
        private final List<Part> parts = new ArrayList<>();
        private final List<Told> told = new ArrayList<>();

        /** When its last writer was told that it is closed; never, if somebody came to write since. */
        private long closedNanos = Act.NEVER;

        private long least(long nanos) {
            return told.stream()
                    .filter(each -> each.nanos() <= nanos)
                    .mapToLong(Told::length)
                    .max()
                    .orElse(0);
        }

        private long most() {
            return parts.stream().mapToLong(part -> part.end).max().orElse(0);
        }
    }

    private final Map<Handle, Known> files = new HashMap<>();
    private long writers;

    /** One writer of one file. */
    final class Writer {
        private final Handle file;
        private final Known known;
        private final Part part;

        private Writer(Handle file, Known known, long generation, long start) {
            this.file = file;
            this.known = known;
            this.part = new Part(++writers, generation, start);
            known.closedNanos = Act.NEVER;
            known.parts.add(part);
        }

        /** The next so many of its bytes; from now on they may be in the file. */
        byte[] next(int count) {
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = at(file, part.writer, part.end + i);
            }
            part.end += count;
            return bytes;
        }

        /** It was told that all its bytes are visible. */
        void flushed(long nanos) {
            known.flushed.add(new Flushed(part.generation, nanos, part.end));
            if (part.end > part.start) {
                part.visibleNanos = Math.min(part.visibleNanos, nanos);
            }
        }

        /** It was told that all its bytes are durable. */
        void synced(long nanos) {
            part.durableEnd = part.end;
            known.told.add(new Told(nanos, part.end));
        }

        /** From now on the file may be closed by it. */
        void closing() {
            part.closing = true;
        }

        /** It was told that the file is closed behind its bytes; perhaps so late that somebody else writes it by then. */
        void closed(long nanos) {
            synced(nanos);
            if (known.parts.get(known.parts.size() - 1) == part) {
                known.closedNanos = nanos;
            }
        }
    }

    private static byte at(Handle file, long writer, long offset) {
        return (byte) CrashPoints.mix(file.value() * 31 + writer * 1_000_003 + offset);
    }

    /** Bytes of a file of the wild tree, where they do not depend on who wrote them. */
    static byte[] wild(Handle file, long offset, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(file, 0, offset + i);
        }
        return bytes;
    }

    /** Offset of the first byte that is not as in {@link #wild}; -1 if all are right. */
    static int wrongWild(Handle file, byte[] bytes, int count) {
        return Arrays.mismatch(bytes, 0, count, wild(file, 0, count), 0, count);
    }

    private Known known(Handle file) {
        return files.computeIfAbsent(file, unused -> new Known());
    }

    /** Somebody may write it under this write generation, from this offset on. */
    Writer open(Handle file, long generation, long start) {
        return new Writer(file, known(file), generation, start);
    }

    /**
     * Whether the file must still be open if it has this write generation: the writer of this generation knew at that
     * moment that bytes of its own are visible, and has not begun to close the file. Whoever takes a file from its writer raises
     * the generation. Before a writer has visible bytes, its file may be told as closed for a while.
     */
    boolean mustBeOpen(Handle file, long generation, long nanos) {
        return known(file).parts.stream()
                .anyMatch(part -> part.generation == generation && part.visibleNanos <= nanos && !part.closing);
    }

    /** Offset of the first byte that no writer put there, or not the one who was told so; -1 if all are right. */
    int wrong(Handle file, byte[] bytes, int count) {
        List<Part> parts = known(file).parts;
        for (int i = 0; i < count; i++) {
            boolean right = false;
            boolean settled = false;
            for (Part part : parts) {
                if (part.start <= i && i < part.end) {
                    boolean own = bytes[i] == at(file, part.writer, i);
                    boolean durable = i < part.durableEnd;
                    right = durable ? own : settled ? right : right || own;
                    settled |= durable;
                }
            }
            if (!right) {
                return i;
            }
        }
        return -1;
    }

    /** Bytes that a writer knew to be durable at that moment. */
    long least(Handle file, long nanos) {
        return known(file).least(nanos);
    }

    /** Length that whoever asks since that moment is told at least, if he is told of this write generation. */
    long leastTold(Handle file, long generation, long nanos) {
        return known(file).flushed.stream()
                .filter(each -> each.generation() == generation && each.nanos() <= nanos)
                .mapToLong(Flushed::length)
                .max()
                .orElse(0);
    }

    /** Whether it was closed then, and nobody came to write since. */
    boolean wasClosed(Handle file, long nanos) {
        return known(file).closedNanos <= nanos;
    }

    /** What it must and may be long now, as text; empty if the length is right. */
    String wrongLength(Handle file, long length) {
        Known known = known(file);
        long least = known.least(Act.NEVER);
        boolean closed = known.closedNanos != Act.NEVER;
        boolean right = closed ? length == least : length >= least && length <= known.most();
        return right ? "" : length + " bytes, not " + least + (closed ? "" : " to " + known.most());
    }
}
