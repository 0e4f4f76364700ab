package io.steadfs.ioserver.lease;

import java.util.List;

/** Finds out which handles of leases that are over belong to files. It also begins by itself; this interface asks for it now. */
public interface Validation {
    Validation NONE = new Validation() {
        @Override
        public void begin() {}

        @Override
        public List<String> waitsFor() {
            return List.of();
        }
    };

    /** Begins; from any thread. */
    void begin();

    /** Why leases that are over have not ended yet, one line for each shard that did not answer. From any thread. */
    List<String> waitsFor();
}
