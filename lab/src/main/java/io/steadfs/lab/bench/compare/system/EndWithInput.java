package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs the main method of another program. The first argument is the main class; the other arguments go to the program.
 * The process ends once its standard input ends, so the process ends with its parent. This class uses only classes of
 * the JDK.
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
                // The bytes themselves have no meaning.
            }
        } catch (IOException e) {
            // An error while reading counts as the end of the input.
        }
        Runtime.getRuntime().halt(0);
    }
}
