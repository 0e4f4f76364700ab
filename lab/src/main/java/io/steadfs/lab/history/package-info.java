/**
 * Concurrent operations on names, with their begin and their end, checked for an order that explains all answers.
 *
 * <pre>
 *  Operation ─► Steps ─► Search ─► Verdict
 *  what was asked,    what it says of names,     is there an order?    Violation: why not,
 *  when and answered  one at a time or joint                           shortened by Shortening
 * </pre>
 *
 * {@link io.steadfs.lab.history.HistoryCheck} is the door.
 */
@NullMarked
package io.steadfs.lab.history;

import org.jspecify.annotations.NullMarked;
