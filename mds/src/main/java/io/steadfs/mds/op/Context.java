package io.steadfs.mds.op;

import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.store.ReadView;

/** What every step of one decision or query needs to know: who asks, of which state, under which circumstances. */
record Context(Asker asker, ReadView view, Inputs inputs) {
    long now() {
        return inputs.wallMillis();
    }
}
