package io.steadfs.cli.archive;

import io.steadfs.cli.fs.FsCommand;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.cli.status.StatusCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine;

/**
 * Does what servers and commands do first: servers start on a new directory and on a used directory, and a client
 * works with files.
 */
final class StartRehearsal {
    private StartRehearsal() {}

    /**
     * Runs once, in this process.
     *
     * @param folder an empty folder, which keeps what the servers wrote
     * @throws IOException if a server does not start or a command fails. The message names the command
     */
    static void run(Path folder) throws IOException {
        Path data = folder.resolve("data");
        try (LocalCluster cluster = LocalCluster.in(data).mds(1).ioServers(1).start()) {
            Path file = Files.writeString(folder.resolve("file"), "what a client writes");
            String uri = cluster.uri().toString();
            for (String arguments : List.of(
                    "-mkdir /directory",
                    "-put " + file + " /directory/file",
                    "-cat /directory/file",
                    "-mv /directory/file /directory/renamed",
                    "-ls /directory",
                    "-rm -r /directory")) {
                done("fs " + arguments, new FsCommand(), ("--uri " + uri + " " + arguments).split(" "));
            }
            done("status", new StatusCommand(), "--uri", uri);
            FileSystem.closeAll();
        }
        LocalCluster.in(data).mds(1).ioServers(1).start().close();
    }

    private static void done(String name, Object command, String... arguments) throws IOException {
        int exitCode = new CommandLine(command).execute(arguments);
        if (exitCode != 0) {
            throw new IOException("stead " + name + " ended with exit code " + exitCode);
        }
    }
}
