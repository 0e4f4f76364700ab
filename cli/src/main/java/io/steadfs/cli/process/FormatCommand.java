package io.steadfs.cli.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Formats a file system. The format fixes properties of the file system that nobody can change later. */
@Command(
        name = "format",
        mixinStandardHelpOptions = true,
        description = {
            "Write the record of a new file system into ZooKeeper: its identity, shard count and defaults.",
            "Make the cluster secret, by which its servers know each other, unless its file is there.",
            "Servers then join it. A file system that is there is left alone unless --force is given."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:written", "1:not written; the last line says why", "2:wrong usage"})
public final class FormatCommand implements Callable<Integer> {
    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Option(
            names = "--superuser",
            paramLabel = "USER",
            description = "passes every permission check; default: the user of this process")
    private String superuser = System.getProperty("user.name");

    @Option(
            names = "--force",
            description = "give up the file system that is there, with all its files; its servers must not run")
    private boolean force;

    @Option(names = "--json", description = "print the record as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Settings settings = configuration.read(ServerKeys.FORMAT);
        FileSystemFormat format = FileSystemFormat.fresh(settings, superuser, System.currentTimeMillis());
        Path secret = settings.get(SecretFile.FILE);
        boolean made = SecretFile.makeIfMissing(secret);
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            format.write(tree, force);
        }
        spec.commandLine()
                .getOut()
                .println(
                        json
                                ? new ObjectMapper().writeValueAsString(format)
                                : "formatted file system " + format.fileSystem() + ": " + format.shardCount()
                                        + " shard(s) dealt out among " + format.metadataServers()
                                        + " metadata server(s), width " + format.width() + ", strips of "
                                        + format.stripSizeBytes()
                                        + " bytes, superuser " + format.superuser() + "; cluster secret "
                                        + (made ? "made in " : "of ") + secret + ", which each server needs");
        return 0;
    }
}
