package io.steadfs.mds.pipeline;

import io.steadfs.store.ReadView;

/** Makes the inputs of decisions and queries. */
@FunctionalInterface
public interface InputSource {
    /**
     * Returns the inputs of this moment. May be called from any thread.
     *
     * @param state the state that the inputs are for
     */
    Inputs now(ReadView state);
}
