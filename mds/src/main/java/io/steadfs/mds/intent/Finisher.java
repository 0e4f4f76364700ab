package io.steadfs.mds.intent;

/** Finishes intents at their participants. The methods may be called from any thread. */
public interface Finisher {
    /** Tells the participants the outcome of a decided intent. */
    void finish(long intent);

    /** Undoes the intent if it is not decided yet. */
    void giveUp(long intent);
}
