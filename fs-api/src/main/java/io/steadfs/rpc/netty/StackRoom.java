package io.steadfs.rpc.netty;

/**
 * Whether a thread has room on its stack for other work than its own. An application may call from deep in a recursion.
 * If its stack were full in the middle of an event loop's work, what others wait for would be lost.
 */
final class StackRoom {
    /** Frames of {@link #reach}, each about 100 bytes: some 50 KiB, several times what an event loop needs. */
    private static final int FRAMES = 500;

    private StackRoom() {}

    static boolean isEnough() {
        try {
            return reach(FRAMES, 1, 2, 3, 4) != 0;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    /** Goes down so many frames. The parameters make the frames larger. */
    private static long reach(int frames, long a, long b, long c, long d) {
        return frames == 0 ? a : reach(frames - 1, b, c, d, a) + (a ^ d);
    }
}
