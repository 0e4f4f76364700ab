package io.steadfs.mds.intent;

/** Ends intents at their participants. From any thread. */
public interface Finisher {
    /** The intent is decided. */
    void finish(long intent);

    /** The intent is to be undone, if it is not decided. */
    void giveUp(long intent);
}
