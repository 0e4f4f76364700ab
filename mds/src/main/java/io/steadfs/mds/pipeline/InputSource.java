package io.steadfs.mds.pipeline;

import io.steadfs.store.ReadView;

/** Makes the inputs of decisions and queries. */
@FunctionalInterface
public interface InputSource {
    /**
     * The inputs of this moment; from any thread.
     *
     * @param state that they are for
     */
    Inputs now(ReadView state);
}
