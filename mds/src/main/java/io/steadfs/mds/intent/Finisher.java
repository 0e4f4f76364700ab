package io.steadfs.mds.intent;

/** Finishes intents at their participants. May be called from any thread. */
public interface Finisher {
    /** The intent is decided. */
    void finish(long intent);

    /** The intent must be undone if it is not decided. */
    void giveUp(long intent);
}
