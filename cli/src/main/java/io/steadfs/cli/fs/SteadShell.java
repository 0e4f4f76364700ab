package io.steadfs.cli.fs;

import io.steadfs.cli.report.TextTable;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.hadoop.SteadFileSystem;
import java.io.IOException;
import java.util.HexFormat;
import java.util.LinkedList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.shell.CommandFactory;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.fs.shell.PathData;

/** Hadoop's shell with commands for symbolic links and for partitions, which Hadoop's own has not. */
final class SteadShell extends FsShell {
    SteadShell(Configuration configuration) {
        super(configuration);
        // Hadoop lets a process make symbolic links only if it says so.
        FileSystem.enableSymlinks();
    }

    @Override
    protected void registerCommands(CommandFactory factory) {
        factory.registerCommands(FsCommand.class);
        factory.addClass(Ln.class, "-" + Ln.NAME);
        factory.addClass(Readlink.class, "-" + Readlink.NAME);
        factory.addClass(Partitions.class, "-" + Partitions.NAME);
    }

    /** Makes a symbolic link. Hadoop reads the constants of a command by reflection. */
    @SuppressWarnings("NonApiType") // as Hadoop's
    public static final class Ln extends FsCommand {
        public static final String NAME = "ln";
        public static final String USAGE = "-s <target> <name>";
        public static final String DESCRIPTION =
                "Make <name> a symbolic link to <target>, which need not exist. A target without a leading slash is"
                        + " looked up from the directory of <name>.";

        @Override
        protected void processOptions(LinkedList<String> arguments) {
            CommandFormat format = new CommandFormat(2, 2, "s");
            format.parse(arguments);
            if (!format.getOpt("s")) {
                throw new IllegalArgumentException("only symbolic links are offered: -s");
            }
        }

        @Override
        protected void processRawArguments(LinkedList<String> arguments) {
            try {
                Path target = new Path(arguments.get(0));
                Path name = new Path(arguments.get(1));
                name.getFileSystem(getConf()).createSymlink(target, name, false);
            } catch (IOException e) {
                displayError(e);
            }
        }
    }

    /** Prints the target of a symbolic link. */
    @SuppressWarnings("NonApiType") // as Hadoop's
    public static final class Readlink extends FsCommand {
        public static final String NAME = "readlink";
        public static final String USAGE = "<name> ...";
        public static final String DESCRIPTION = "Print the target of each symbolic link, as its maker wrote it.";

        @Override
        protected void processOptions(LinkedList<String> arguments) {
            new CommandFormat(1, Integer.MAX_VALUE).parse(arguments);
        }

        @Override
        protected void processRawArguments(LinkedList<String> arguments) {
            for (String each : arguments) {
                try {
                    Path name = new Path(each);
                    out.println(name.getFileSystem(getConf()).getLinkTarget(name));
                } catch (IOException e) {
                    displayError(e);
                }
            }
        }
    }

    /** Prints where the names of a directory are. */
    @SuppressWarnings("NonApiType") // as Hadoop's
    public static final class Partitions extends FsCommand {
        public static final String NAME = "partitions";
        public static final String USAGE = "<directory> ...";
        public static final String DESCRIPTION =
                "Print the partitions of each directory: the number, the first and the last hash of its names, the shard"
                        + " that has them, and how many there are.";

        @Override
        protected void processOptions(LinkedList<String> arguments) {
            new CommandFormat(1, Integer.MAX_VALUE).parse(arguments);
        }

        @Override
        protected void processPath(PathData directory) throws IOException {
            if (!(directory.fs instanceof SteadFileSystem fs)) {
                throw new IllegalArgumentException(directory + " is in no SteadFS file system");
            }
            TextTable table = new TextTable(0, "PARTITION", "FROM HASH", "TO HASH", "SHARD", "NAMES");
            for (PartitionInfo partition : fs.partitions(directory.path)) {
                table.row(
                        partition.number(),
                        hex(partition.firstHash()),
                        hex(partition.lastHash()),
                        partition.shard(),
                        partition.names());
            }
            out.println(table);
        }

        private static String hex(long hash) {
            return HexFormat.of().toHexDigits(hash);
        }
    }
}
