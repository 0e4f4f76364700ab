package io.steadfs.cli.report;

import java.io.PrintWriter;

/** Reports on standard error what a long command does, with a line for each step. */
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
