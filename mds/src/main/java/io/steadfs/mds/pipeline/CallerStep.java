package io.steadfs.mds.pipeline;

/**
 * Lets a thread that submits a command decide it, and commit it while the shard is idle. This saves changes of threads:
 * to the writer, and back to the thread that sends the answer.
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

        @Override
        public boolean isCommitting() {
            return false;
        }

        @Override
        public void decideMeanwhile() {}
    };

    /** Returns whether a step by the caller is worth a try. From any thread. */
    boolean isLikely();

    /**
     * Decides and commits what is queued, in the calling thread. Returns false if nothing was done, because another
     * thread is at it; the caller must then wake the writer.
     */
    boolean step();

    /**
     * Returns whether the writer commits a batch. When the commit ends, the writer takes all commands that were queued
     * before this call, and needs no wake-up for them. From any thread.
     */
    boolean isCommitting();

    /** Decides some of the queued commands in the calling thread, if the writer commits a batch. */
    void decideMeanwhile();
}
