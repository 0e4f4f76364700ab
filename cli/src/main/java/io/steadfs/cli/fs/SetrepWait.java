package io.steadfs.cli.fs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes how Hadoop's shell handles {@code -setrep -w N}. Hadoop's shell would wait until every block is on exactly N
 * hosts. SteadFS keeps only one copy of a file. If N is 1, the wait ends at once. If N is greater than 1, the wait
 * would never end. The shell then sets the number without waiting, and a note tells the user so.
 *
 * @param arguments arguments for Hadoop's shell
 * @param note note to print after the shell has ended; empty if there is no note
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
