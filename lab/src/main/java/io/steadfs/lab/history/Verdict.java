package io.steadfs.lab.history;

import java.util.List;

/**
 * What a check showed.
 *
 * @param names that were checked
 * @param unsteadyNames that were not, because a directory above them was moved or deleted, or may have been
 * @param operations that say anything of the names that were checked
 * @param configurations that were visited: the work done
 * @param undecided names, each with the operation from which on it was given up until the next one
 */
public record Verdict(
        int names,
        int unsteadyNames,
        int operations,
        long configurations,
        List<Violation> violations,
        List<String> undecided) {}
