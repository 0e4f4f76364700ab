package io.steadfs.cli.fs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handles {@code -setrep -w N}. With it Hadoop's shell waits until every block is on exactly N hosts. A file of SteadFS has one copy. So
 * for N = 1 the wait ends at once, and for a greater N it would never end. In that case the number is set without waiting, and the user is
 * told so.
 *
 * @param arguments for the shell
 * @param note to print when the shell is done; empty if there is none
 */
record SetrepWait(List<String> arguments, Optional<String> note) {
    private static final String WAIT = "-w";

    static SetrepWait of(List<String> arguments) {
        int command = arguments.indexOf("-setrep");
        if (command < 0) {
            return new SetrepWait(arguments, Optional.empty());
        }
        List<String> options = arguments.subList(command + 1, arguments.size());
        List<String> words =
                options.stream().filter(word -> !word.startsWith("-")).toList();
        boolean waits =
                options.contains(WAIT) && !words.isEmpty() && !words.get(0).equals("1");
        boolean elsewhere = words.stream().anyMatch(word -> word.contains("://") && !word.startsWith("stead://"));
        if (!waits || elsewhere) {
            return new SetrepWait(arguments, Optional.empty());
        }
        List<String> kept = new ArrayList<>(arguments.subList(0, command + 1));
        options.stream().filter(word -> !word.equals(WAIT)).forEach(kept::add);
        return new SetrepWait(
                kept,
                Optional.of("setrep: not waited for: this release keeps one copy of a file; that " + words.get(0)
                        + " are wished for is on record"));
    }
}
