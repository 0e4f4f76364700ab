package io.steadfs.it.power;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One request of the kernel.
 *
 * <pre>
 *  header   u32 length of all | u32 opcode | u64 unique | u64 node | u32 uid | u32 gid | u32 pid | u32 extensions
 *
 *  body, by opcode; a name ends with a zero byte
 *   1 LOOKUP        name
 *   2 FORGET        u64 lookups                                                                   is not answered
 *   3 GETATTR       -
 *   4 SETATTR       u32 what | u32 | u64 | u64 size | u64 | u64 atime | u64 mtime | u64 ctime |
 *                   u32 atime ns | u32 mtime ns | u32 ctime ns | u32 mode | u32 | u32 uid | u32 gid
 *   9 MKDIR         u32 mode | u32 umask | name
 *  10 UNLINK        name
 *  11 RMDIR         name
 *  12 RENAME        u64 new parent | old name | new name
 *  14 OPEN          u32 flags
 *  15 READ          u64 handle | u64 offset | u32 size
 *  16 WRITE         u64 handle | u64 offset | u32 size | u32 | u64 | u32 flags of the open file | u32 | bytes
 *  17 STATFS        -
 *  18 RELEASE       -
 *  20 FSYNC         -
 *  25 FLUSH         -
 *  26 INIT          u32 major | u32 minor | u32 read ahead | u32 flags | ...
 *  27 OPENDIR       -
 *  28 READDIR       u64 handle | u64 offset | u32 size
 *  29 RELEASEDIR    u64 handle
 *  30 FSYNCDIR      -
 *  35 CREATE        u32 flags | u32 mode | u32 umask | u32 | name
 *  36 INTERRUPT     u64 unique                                                                    is not answered
 *  38 DESTROY       -
 *  42 BATCH_FORGET  u32 count | u32 | count times: u64 node | u64 lookups                         is not answered
 *  43 FALLOCATE     u64 handle | u64 offset | u64 length | u32 mode
 *  45 RENAME2       u64 new parent | u32 flags | u32 | old name | new name
 * </pre>
 */
record FuseRequest(int opcode, long unique, long node, int uid, int gid, ByteBuffer body) {
    static final int LOOKUP = 1;
    static final int FORGET = 2;
    static final int GETATTR = 3;
    static final int SETATTR = 4;
    static final int MKDIR = 9;
    static final int UNLINK = 10;
    static final int RMDIR = 11;
    static final int RENAME = 12;
    static final int OPEN = 14;
    static final int READ = 15;
    static final int WRITE = 16;
    static final int STATFS = 17;
    static final int RELEASE = 18;
    static final int FSYNC = 20;
    static final int FLUSH = 25;
    static final int INIT = 26;
    static final int OPENDIR = 27;
    static final int READDIR = 28;
    static final int RELEASEDIR = 29;
    static final int FSYNCDIR = 30;
    static final int CREATE = 35;
    static final int INTERRUPT = 36;
    static final int DESTROY = 38;
    static final int BATCH_FORGET = 42;
    static final int FALLOCATE = 43;
    static final int RENAME2 = 45;

    private static final int HEADER = 40;

    /** The body is the buffer itself, from behind the header. */
    static FuseRequest decode(ByteBuffer buffer) {
        return new FuseRequest(
                buffer.getInt(4),
                buffer.getLong(8),
                buffer.getLong(16),
                buffer.getInt(24),
                buffer.getInt(28),
                buffer.position(HEADER));
    }

    void skip(int bytes) {
        body.position(body.position() + bytes);
    }

    /** The name at the position of the body, which moves behind it. */
    String name() {
        int begin = body.position();
        int end = begin;
        while (body.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - begin];
        body.get(bytes).position(end + 1);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
