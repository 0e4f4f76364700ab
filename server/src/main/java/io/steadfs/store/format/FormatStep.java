package io.steadfs.store.format;

import io.steadfs.store.ReadView;
import java.io.IOException;

/**
 * Brings the rows of a store from one format to the next. A store that holds much is changed in many commits, so a crash may end a step
 * anywhere. Then the next start repeats it from its beginning. Therefore:
 *
 * <ul>
 *   <li>A step recognises a row that it changed already, and leaves it. For example, the new row has another version byte or another key.
 *   <li>Rows that must change together are changed by one call of {@link FormatChanges#together}.
 *   <li>A row that cannot be decoded stays as it is: a check finds it. A row that the store cannot read ends the step, and the start.
 *   <li>The step does not touch the rows of the store's format, of {@link io.steadfs.store.Unsettled} and of the store's mark. They are
 *       read before any step, so they never change their form.
 * </ul>
 */
public interface FormatStep {
    /** The format from which it starts. It ends with the next number. */
    long from();

    /**
     * Changes the rows.
     *
     * @param rows the store when this try began; a try that a crash ended may have changed some of them, or all
     * @param changes takes the changes; a read of {@code rows} does not see them
     */
    void change(ReadView rows, FormatChanges changes) throws IOException;
}
