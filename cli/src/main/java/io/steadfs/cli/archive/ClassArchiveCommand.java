package io.steadfs.cli.archive;

import io.steadfs.cli.connect.Cleanup;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Loads the classes that servers and commands load at their start. {@code bin/stead} runs this command in a JVM that
 * writes its loaded classes into an archive when the JVM ends.
 */
@Command(
        name = "class-archive",
        mixinStandardHelpOptions = true,
        description = {
            "Make the archive of classes with which servers and commands of this folder start faster, and print its name.",
            "Whoever may write the folder runs this once after unpacking or building, and again after a change of Java. It"
                    + " takes some seconds, and starts a cluster of its own in a temporary folder. Archives for other jars or"
                    + " another Java are removed. Without an archive, or with one that does not fit, everything works, and"
                    + " starts take longer."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:no archive was made; the last line says why", "2:wrong usage"})
public final class ClassArchiveCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
        try (Cleanup cleanup = new Cleanup()) {
            StartRehearsal.run(cleanup.temporaryFolder("stead-class-archive-"));
        }
        return 0;
    }
}
