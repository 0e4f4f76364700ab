package io.steadfs.mds.testing;

import io.steadfs.mds.intent.Finisher;

/** For tests in which nothing may be held at another shard. */
public final class NoIntents implements Finisher {
    @Override
    public void finish(long intent) {
        throw new AssertionError("intent " + intent);
    }

    @Override
    public void giveUp(long intent) {
        throw new AssertionError("intent " + intent);
    }
}
