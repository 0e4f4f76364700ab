package io.steadfs.lab.history;

import java.util.List;

/**
 * The result of a check.
 *
 * @param names number of checked names
 * @param unsteadyNames number of names that were not checked, because a directory above was or may have been moved or
 *     deleted
 * @param operations number of operations that tell anything about the checked names
 * @param configurations number of configurations that the search visited; a measure of the work
 * @param undecided names at which the check gave up, each with the operation at which it did
 */
public record Verdict(
        int names,
        int unsteadyNames,
        int operations,
        long configurations,
        List<Violation> violations,
        List<String> undecided) {}
