package io.steadfs.mds.record;

import java.util.Optional;

/** Records the value that the writer computed for a row that counts other rows. */
public interface CountRecord extends LogRecord {
    /**
     * Describes a count row that was wrong, in a text for people. Empty if the count row was right. If the count row
     * was wrong, the other rows were counted again.
     */
    Optional<String> wrong();
}
