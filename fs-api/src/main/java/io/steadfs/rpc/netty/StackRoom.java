package io.steadfs.rpc.netty;

/**
 * Whether a thread has room on its stack for other work than its own. An application may call from deep in a recursion.
 * If its stack were full in the middle of an event loop's work, what others wait for would be lost.
 */
final class StackRoom {
    /** Frames of {@link #reach}: 36 bytes each when compiled, 115 before, so at least 35 KiB. It takes 2 microseconds. */
    private static final int FRAMES = 1_000;

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
