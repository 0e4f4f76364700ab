package io.steadfs.mds.pipeline;

/**
 * Lets a thread that submits a command decide and commit the command itself, while the shard is idle. This saves two
 * changes of threads: to the writer, and back to the thread that sends the answer.
 */
interface CallerStep {
    /** Never lets a caller decide. */
    CallerStep NONE = new CallerStep() {
        @Override
        public boolean isLikely() {
            return false;
        }

        @Override
        public boolean step() {
            return false;
        }
    };

    /** Returns whether a step by the caller is worth a try. From any thread. */
    boolean isLikely();

    /**
     * Decides and commits what is queued, in the calling thread. Returns false if nothing was done, because another
     * thread is at it; the caller must then wake the writer.
     */
    boolean step();
}
