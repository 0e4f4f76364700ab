/**
 * Checks whether one order of concurrent operations on names explains all answers. Each operation has a begin and an
 * end.
 *
 * <pre>
 *  Operation ─► Steps ─► Search ─► Verdict
 *  what was asked,    what it says of names,     is there an order?    Violation: why not,
 *  when and answered  one at a time or joint                           shortened by Shortening
 * </pre>
 *
 * {@link io.steadfs.lab.history.HistoryCheck} is the entrance.
 */
@NullMarked
package io.steadfs.lab.history;

import org.jspecify.annotations.NullMarked;
