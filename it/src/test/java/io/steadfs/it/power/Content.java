package io.steadfs.it.power;

/** Which bytes a file has: a function of its number and the offset. */
final class Content {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private Content() {}

    static byte at(long file, long offset) {
        long mixed = (file * STEP + (offset >>> 3)) * 0xbf58476d1ce4e5b9L;
        mixed ^= mixed >>> 29;
        mixed *= 0x94d049bb133111ebL;
        return (byte) (mixed >>> ((offset & 7) * 8));
    }

    static byte[] bytes(long file, long offset, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(file, offset + i);
        }
        return bytes;
    }

    /** Where the first of so many bytes is that is not the file's; -1 if all are. */
    static long firstWrong(long file, byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] != at(file, i)) {
                return i;
            }
        }
        return -1;
    }
}
