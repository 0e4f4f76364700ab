package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs the main of another program, whose class and arguments are given, and ends the process when its standard input ends:
 * it does not outlive who started it. Uses nothing but Java.
 */
public final class EndWithInput {
    private EndWithInput() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(EndWithInput::untilEnd, "end-with-input");
        watch.setDaemon(true);
        watch.start();
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    private static void untilEnd() {
        try {
            while (System.in.read() >= 0) {
                // What is said here means nothing.
            }
        } catch (IOException e) {
            // An input that cannot be read has ended.
        }
        Runtime.getRuntime().halt(0);
    }
}
