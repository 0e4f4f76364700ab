package io.steadfs.store.format;

import io.steadfs.store.ReadView;
import java.io.IOException;

/**
 * Brings the rows of a store from one format to the next. A large store is changed in many commits, so a crash may end
 * a step in the middle. The next start repeats an unfinished step from its beginning. Therefore each step follows these
 * rules:
 *
 * <ul>
 *   <li>A step recognises a row that it has already changed, and does not change it again. For example, a changed row
 *       has another version byte or another key.
 *   <li>If rows must change together, a step changes them by one call of {@link FormatChanges#together}.
 *   <li>A step does not change a row that it cannot decode; a check will find that row. If the store cannot read a row,
 *       the step fails and the server does not start.
 *   <li>A step never changes the rows of the store's format, of {@link io.steadfs.store.Unsettled} and of the store's
 *       mark. Servers read the rows of the format, of {@code Unsettled} and of the mark before any step, so their form
 *       never changes.
 * </ul>
 */
public interface FormatStep {
    /** The number of the format from which the step starts. The step ends with the next number. */
    long from();

    /**
     * Changes all rows of the store that need a change.
     *
     * @param rows the store at the beginning of this try. If a crash ended an earlier try, some or all rows may be
     *     changed already
     * @param changes receives the changes. A read of {@code rows} does not show these changes
     */
    void change(ReadView rows, FormatChanges changes) throws IOException;
}
