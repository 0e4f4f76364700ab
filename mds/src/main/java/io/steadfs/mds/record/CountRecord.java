package io.steadfs.mds.record;

import java.util.Optional;

/** Sets a row that counts other rows to this value, as the writer decided it. */
public interface CountRecord extends LogRecord {
    /** What was wrong with the row, for people, if the other rows had to be counted one by one. Empty if nothing was wrong. */
    Optional<String> wrong();
}
