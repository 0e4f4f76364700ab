package io.steadfs.store.rocks;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads and writes a RocksDB MANIFEST, which lists the tables of a database and the files with their rows. A MANIFEST
 * is a log of edits (db/version_edit.h). An edit is a sequence of tags. Each tag has numbers and byte strings behind
 * it. A byte string begins with its length. Numbers are varints.
 *
 * <pre>
 *  tag              what follows it
 *    1              comparator
 *    2, 3, 4, 9, 10 a number: log, next file, last sequence, ...
 *    5              level, key
 *    6              level, file: the file leaves the table
 *    7, 100 to 103  level, file, bytes, least key, greatest key, sequences: the file joins the table
 *  200              the number of the table that the edit is about
 *  201, 202         name: the table is made; nothing: the table is dropped
 *  203, 300         a number
 *  8192 and more    a byte string that readers may skip
 * </pre>
 */
final class Manifest {
    private static final int COMPARATOR = 1;
    private static final int LOG_NUMBER = 2;
    private static final int NEXT_FILE = 3;
    private static final int LAST_SEQUENCE = 4;
    private static final int CURSOR = 5;
    private static final int DELETED_FILE = 6;
    private static final int NEW_FILE_1 = 7;
    private static final int PREVIOUS_LOG = 9;
    private static final int LEAST_LOG = 10;
    private static final int NEW_FILE_2 = 100;
    private static final int NEW_FILE_3 = 102;
    private static final int NEW_FILE_4 = 103;
    private static final int TABLE = 200;
    private static final int TABLE_ADDED = 201;
    private static final int TABLE_DROPPED = 202;
    private static final int MOST_TABLE = 203;
    private static final int IN_GROUP = 300;
    private static final int MAY_BE_PASSED_OVER = 1 << 13;
    private static final int END_OF_FIELDS = 1;
    private static final int TAG_BYTES = 8;
    private static final String BYTEWISE = "leveldb.BytewiseComparator";

    private final Map<Integer, String> tables = new TreeMap<>();
    private final Map<Long, LiveFile> files = new TreeMap<>();
    private final List<String> damage = new ArrayList<>();

    /** A file of rows, with the number of its table, its first key and its last key. */
    static final class LiveFile {
        final int table;
        final int level;
        final long number;
        final long bytes;
        final byte[] first;
        final byte[] last;

        LiveFile(int table, int level, long number, long bytes, byte[] first, byte[] last) {
            this.table = table;
            this.level = level;
            this.number = number;
            this.bytes = bytes;
            this.first = first;
            this.last = last;
        }
    }

    private Manifest() {
        tables.put(0, "default");
    }

    /** Reads the bytes of a MANIFEST. If the file is damaged, reads the part that can be read. */
    static Manifest read(byte[] bytes) {
        Manifest manifest = new Manifest();
        manifest.damage.addAll(LogFile.read(bytes, record -> {
            try {
                manifest.edit(ByteBuffer.wrap(record));
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                manifest.damage.add("an edit cannot be read: " + e);
            }
        }));
        if (bytes.length == 0) {
            manifest.damage.add("it is empty");
        }
        return manifest;
    }

    /** A description of each place that cannot be read; empty if there is no such place. */
    List<String> damage() {
        return damage;
    }

    /** Maps the number of each table to its name. */
    Map<Integer, String> tables() {
        return tables;
    }

    List<LiveFile> files() {
        return List.copyOf(files.values());
    }

    private void edit(ByteBuffer in) {
        int table = 0;
        // The edit may name its table only after its files.
        List<LiveFile> made = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        while (in.hasRemaining()) {
            int tag = (int) number(in);
            switch (tag) {
                case COMPARATOR -> string(in);
                case LOG_NUMBER, NEXT_FILE, LAST_SEQUENCE, PREVIOUS_LOG, LEAST_LOG, MOST_TABLE, IN_GROUP -> number(in);
                case CURSOR -> {
                    number(in);
                    string(in);
                }
                case DELETED_FILE -> {
                    number(in);
                    gone.add(number(in));
                }
                case NEW_FILE_1, NEW_FILE_2, NEW_FILE_3, NEW_FILE_4 -> made.add(file(tag, in));
                case TABLE -> table = (int) number(in);
                case TABLE_ADDED -> tables.put(table, new String(string(in), StandardCharsets.UTF_8));
                case TABLE_DROPPED -> tables.remove(table);
                default -> {
                    if ((tag & MAY_BE_PASSED_OVER) == 0) {
                        throw new IllegalArgumentException("tag " + tag);
                    }
                    string(in);
                }
            }
        }
        gone.forEach(files::remove);
        for (LiveFile each : made) {
            files.put(each.number, new LiveFile(table, each.level, each.number, each.bytes, each.first, each.last));
        }
    }

    private static LiveFile file(int tag, ByteBuffer in) {
        int level = (int) number(in);
        long number = number(in);
        if (tag == NEW_FILE_3) {
            number(in);
        }
        long bytes = number(in);
        byte[] first = userKey(string(in));
        byte[] last = userKey(string(in));
        if (tag != NEW_FILE_1) {
            number(in);
            number(in);
        }
        if (tag == NEW_FILE_4) {
            while (number(in) != END_OF_FIELDS) {
                string(in);
            }
        }
        return new LiveFile(0, level, number, bytes, first, last);
    }

    /** The key of a row, without the sequence number and type that RocksDB appends. */
    private static byte[] userKey(byte[] key) {
        return Arrays.copyOf(key, Math.max(0, key.length - TAG_BYTES));
    }

    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            number |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number without an end");
    }

    private static byte[] string(ByteBuffer in) {
        long length = number(in);
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("a string of " + length + " bytes");
        }
        byte[] bytes = new byte[(int) length];
        in.get(bytes);
        return bytes;
    }

    /** The edit that removes a file from its table. */
    static byte[] without(LiveFile file) {
        Edit edit = new Edit();
        edit.table(file.table);
        edit.number(DELETED_FILE);
        edit.number(file.level);
        edit.number(file.number);
        return edit.bytes();
    }

    /**
     * Makes a whole MANIFEST for files of which only numbers and sizes are known. All files are on level 0, where files
     * may overlap and have any keys. If two files have the same row, the sequence numbers show which version is newer.
     *
     * @param tables maps the number of each table to its name
     */
    static byte[] made(Map<Integer, String> tables, Map<Long, LiveFile> files, long nextFile, long lastSequence) {
        List<byte[]> edits = new ArrayList<>();
        Edit all = new Edit();
        all.number(COMPARATOR);
        all.string(BYTEWISE.getBytes(StandardCharsets.UTF_8));
        all.number(LOG_NUMBER);
        all.number(0);
        all.number(PREVIOUS_LOG);
        all.number(0);
        all.number(NEXT_FILE);
        all.number(nextFile);
        all.number(LAST_SEQUENCE);
        all.number(lastSequence);
        all.number(MOST_TABLE);
        all.number(tables.keySet().stream().mapToInt(Integer::intValue).max().orElse(0));
        edits.add(all.bytes());
        Map<Integer, List<LiveFile>> byTable = new HashMap<>();
        files.values()
                .forEach(file -> byTable.computeIfAbsent(file.table, unused -> new ArrayList<>())
                        .add(file));
        tables.forEach((number, name) -> {
            if (number != 0) {
                Edit table = new Edit();
                table.table(number);
                table.number(TABLE_ADDED);
                table.string(name.getBytes(StandardCharsets.UTF_8));
                table.number(COMPARATOR);
                table.string(BYTEWISE.getBytes(StandardCharsets.UTF_8));
                table.number(LOG_NUMBER);
                table.number(0);
                edits.add(table.bytes());
            }
            for (LiveFile file : byTable.getOrDefault(number, List.of())) {
                edits.add(with(file));
            }
        });
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        edits.forEach(edit -> out.writeBytes(LogFile.appended(out.size(), edit)));
        return out.toByteArray();
    }

    private static byte[] with(LiveFile file) {
        Edit edit = new Edit();
        edit.table(file.table);
        edit.number(NEW_FILE_2);
        edit.number(0);
        edit.number(file.number);
        edit.number(file.bytes);
        edit.string(internal(file.first));
        edit.string(internal(file.last));
        edit.number(file.number);
        edit.number(file.number);
        return edit.bytes();
    }

    /** A row's key in RocksDB's own form, with the type of a written row and the sequence number 0. */
    private static byte[] internal(byte[] userKey) {
        byte[] key = Arrays.copyOf(userKey, userKey.length + TAG_BYTES);
        key[userKey.length] = 1;
        return key;
    }

    /** Builds the bytes of an edit. */
    private static final class Edit {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        void table(int number) {
            if (number != 0) {
                number(TABLE);
                number(number);
            }
        }

        void number(long number) {
            long left = number;
            while ((left & ~0x7fL) != 0) {
                out.write((int) ((left & 0x7f) | 0x80));
                left >>>= 7;
            }
            out.write((int) left);
        }

        void string(byte[] bytes) {
            number(bytes.length);
            out.writeBytes(bytes);
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }
}
