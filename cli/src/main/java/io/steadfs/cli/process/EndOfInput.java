package io.steadfs.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Ends this process when its standard input ends. So a server does not outlive the process that started the server,
 * even if the starting process is killed. The server stops in an orderly way. If the server has not stopped after
 * {@value #PATIENCE_SECONDS} s, this class ends the process by force.
 */
final class EndOfInput {
    private static final long PATIENCE_SECONDS = 30;
    private static final int STOPPED = 0;
    private static final int CUT_OFF = 1;

    private EndOfInput() {}

    static void watch(InputStream input) {
        begin(() -> untilEnd(input), "end-of-input");
    }

    private static void untilEnd(InputStream input) {
        byte[] ignored = new byte[1024];
        try {
            while (input.read(ignored) >= 0) {
                // The content of the input does not matter.
            }
        } catch (IOException e) {
            // If the input cannot be read, the input counts as ended.
        }
        begin(EndOfInput::cutOff, "cut-off");
        System.exit(STOPPED);
    }

    private static void cutOff() {
        try {
            TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(CUT_OFF);
    }

    private static void begin(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
