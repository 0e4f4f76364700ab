package io.steadfs.mds.record;

import java.util.Optional;

/** A row that counts other rows has this value now, as the writer decided it. */
public interface CountRecord extends LogRecord {
    /** What was wrong with the row, for people, if the others were counted one by one for that. */
    Optional<String> wrong();
}
