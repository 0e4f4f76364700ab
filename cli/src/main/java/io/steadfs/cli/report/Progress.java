package io.steadfs.cli.report;

import java.io.PrintWriter;

/** Prints the progress of a long command on standard error. Each step gets one line. */
public final class Progress {
    private final String command;
    private final PrintWriter out;

    public Progress(String command, PrintWriter out) {
        this.command = command;
        this.out = out;
    }

    public void say(String what) {
        out.println(command + ": " + what);
        out.flush();
    }
}
