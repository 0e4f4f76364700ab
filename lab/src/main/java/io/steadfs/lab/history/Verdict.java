package io.steadfs.lab.history;

import java.util.List;

/**
 * The result of a history check.
 *
 * @param names number of checked names
 * @param unsteadyNames number of names that were not checked, because a directory above the name was moved or deleted,
 *     or may have been
 * @param operations number of operations that say anything about a checked name
 * @param configurations number of visited configurations, as a measure of the work
 * @param undecided names, each with the operation at which the check gave the name up; the check goes on at the next
 *     operation
 */
public record Verdict(
        int names,
        int unsteadyNames,
        int operations,
        long configurations,
        List<Violation> violations,
        List<String> undecided) {}
