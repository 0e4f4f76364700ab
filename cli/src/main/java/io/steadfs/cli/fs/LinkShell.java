package io.steadfs.cli.fs;

import java.io.IOException;
import java.util.LinkedList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.shell.CommandFactory;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.FsCommand;

/** Hadoop's shell with commands for symbolic links, which Hadoop's own has not. */
final class LinkShell extends FsShell {
    LinkShell(Configuration configuration) {
        super(configuration);
        // Hadoop lets a process make symbolic links only if it says so.
        FileSystem.enableSymlinks();
    }

    @Override
    protected void registerCommands(CommandFactory factory) {
        factory.registerCommands(FsCommand.class);
        factory.addClass(Ln.class, "-" + Ln.NAME);
        factory.addClass(Readlink.class, "-" + Readlink.NAME);
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
        protected void processRawArguments(LinkedList<String> arguments) throws IOException {
            Path target = new Path(arguments.get(0));
            Path name = new Path(arguments.get(1));
            name.getFileSystem(getConf()).createSymlink(target, name, false);
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
        protected void processRawArguments(LinkedList<String> arguments) throws IOException {
            for (String each : arguments) {
                Path name = new Path(each);
                out.println(name.getFileSystem(getConf()).getLinkTarget(name));
            }
        }
    }
}
