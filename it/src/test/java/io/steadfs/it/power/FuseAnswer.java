package io.steadfs.it.power;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Bodies of answers to the kernel.
 *
 * <pre>
 *  attributes  u64 node | u64 size | u64 blocks of 512 | u64 atime | u64 mtime | u64 ctime |
 *              u32 atime ns | u32 mtime ns | u32 ctime ns | u32 mode | u32 links | u32 uid | u32 gid | u32 |
 *              u32 block size | u32
 *  entry       u64 node | u64 generation | u64 name valid, s | u64 attributes valid, s | u32 ns | u32 ns | attributes
 *  attribute   u64 valid, s | u32 ns | u32 | attributes
 *  opened      u64 handle | u32 flags | u32
 *  written     u32 size | u32
 *  space       u64 blocks | u64 free | u64 available | u64 files | u64 files free | u32 block size | u32 name length |
 *              u32 fragment size | 7 times u32
 *  dirent      u64 node | u64 offset of the next | u32 length of the name | u32 type | name | zeros up to 8 bytes
 *  init        u32 major | u32 minor | u32 read ahead | u32 flags | u16 background | u16 congestion | u32 write size |
 *              u32 time granularity | u16 pages | u16 | u32 flags | 7 times u32
 * </pre>
 */
final class FuseAnswer {
    private static final int MAJOR = 7;
    private static final int MINOR = 38;
    private static final int ASYNC_READ = 1;
    private static final int BIG_WRITES = 1 << 5;
    private static final int MAX_PAGES = 1 << 22;
    private static final int READ_AHEAD = 128 << 10;
    private static final short BACKGROUND = 16;
    private static final short CONGESTION = 12;
    private static final int SECTOR = 512;
    private static final int MILLIS = 1000;
    private static final int NANOS_OF_MILLI = 1_000_000;
    private static final int LONGEST_NAME = 255;
    private static final int DIRENT = 24;
    private static final int TYPE_SHIFT = 12;
    /** Blocks of 4 KiB: a disk of 64 GiB, of which nobody keeps account. */
    private static final long BLOCKS = 16L << 20;

    private FuseAnswer() {}

    /** No cache of writes in the kernel: each write(2) is here before it returns, so a killed process loses nothing. */
    static void init(ByteBuffer out) {
        out.putInt(MAJOR).putInt(MINOR).putInt(READ_AHEAD).putInt(ASYNC_READ | BIG_WRITES | MAX_PAGES);
        out.putShort(BACKGROUND).putShort(CONGESTION);
        out.putInt(FuseDevice.MOST_BYTES).putInt(1);
        out.putShort((short) (FuseDevice.MOST_BYTES / FileBytes.PAGE)).putShort((short) 0);
        zeros(out, 8);
    }

    private static void zeros(ByteBuffer out, int ints) {
        for (int i = 0; i < ints; i++) {
            out.putInt(0);
        }
    }

    static void attributes(ByteBuffer out, Node node) {
        long seconds = node.modifiedMillis / MILLIS;
        int nanos = (int) (node.modifiedMillis % MILLIS) * NANOS_OF_MILLI;
        out.putLong(node.number).putLong(node.size()).putLong((node.size() + SECTOR - 1) / SECTOR);
        out.putLong(seconds).putLong(seconds).putLong(seconds);
        out.putInt(nanos).putInt(nanos).putInt(nanos);
        out.putInt(node.mode).putInt(1).putInt(node.uid).putInt(node.gid).putInt(0);
        out.putInt(FileBytes.PAGE).putInt(0);
    }

    /** Asked again each time: what the kernel remembers of names and attributes counts for no moment. */
    static void entry(ByteBuffer out, Node node) {
        node.lookups++;
        out.putLong(node.number).putLong(0).putLong(0).putLong(0).putInt(0).putInt(0);
        attributes(out, node);
    }

    static void attribute(ByteBuffer out, Node node) {
        out.putLong(0).putInt(0).putInt(0);
        attributes(out, node);
    }

    static void opened(ByteBuffer out, long handle) {
        out.putLong(handle).putInt(0).putInt(0);
    }

    static void written(ByteBuffer out, int size) {
        out.putInt(size).putInt(0);
    }

    static void space(ByteBuffer out) {
        out.putLong(BLOCKS).putLong(BLOCKS).putLong(BLOCKS).putLong(BLOCKS).putLong(BLOCKS);
        out.putInt(FileBytes.PAGE).putInt(LONGEST_NAME).putInt(FileBytes.PAGE);
        zeros(out, 7);
    }

    /** Answers false, and writes nothing, where that would be more than so many bytes from the beginning on. */
    static boolean dirent(ByteBuffer out, int begin, int most, String name, Node node, long nextOffset) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int padded = (DIRENT + bytes.length + 7) / 8 * 8;
        if (out.position() - begin + padded > most) {
            return false;
        }
        out.putLong(node.number).putLong(nextOffset).putInt(bytes.length).putInt(node.mode >>> TYPE_SHIFT);
        out.put(bytes).put(new byte[padded - DIRENT - bytes.length]);
        return true;
    }
}
