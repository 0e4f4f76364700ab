package io.steadfs.ioserver.lease;

import java.util.List;

/**
 * Looks at leases that are over, and finds out which of their handles belong to files. The search also begins by itself
 * from time to time. A caller of this interface begins the search at once.
 */
public interface Validation {
    Validation NONE = new Validation() {
        @Override
        public void begin() {}

        @Override
        public List<String> waitsFor() {
            return List.of();
        }
    };

    /** Begins the search at once. May be called from any thread. */
    void begin();

    /**
     * Says why leases that are over have not ended yet: one line for each shard that did not answer. May be called from
     * any thread.
     */
    List<String> waitsFor();
}
