package io.steadfs.hadoop;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Path;

/**
 * Builds a new file. SteadFS adds the options {@value #WIDTH} and {@value #STRIP_SIZE}. Of Hadoop's {@code
 * fs.option.create} keys, only {@value #CONDITIONAL_OVERWRITE} is known. If the caller sets {@value
 * #CONDITIONAL_OVERWRITE}, an existing file is an error.
 */
final class FileBuilder extends FSDataOutputStreamBuilder<FSDataOutputStream, FileBuilder> {
    static final String WIDTH = "fs.stead.create.width";
    static final String STRIP_SIZE = "fs.stead.create.strip.size";
    static final String CONDITIONAL_OVERWRITE = "fs.option.create.conditional.overwrite";

    private static final Set<String> KNOWN = Set.of(WIDTH, STRIP_SIZE, CONDITIONAL_OVERWRITE);

    private final SteadFileSystem files;

    FileBuilder(SteadFileSystem files, Path path) {
        super(files, path);
        this.files = files;
    }

    @Override
    public FileBuilder getThisBuilder() {
        return this;
    }

    @Override
    public FSDataOutputStream build() throws IOException {
        rejectUnknownMandatoryKeys(KNOWN, "for " + getPath());
        Configuration options = getOptions();
        EnumSet<CreateFlag> flags = EnumSet.copyOf(getFlags());
        if (options.getBoolean(CONDITIONAL_OVERWRITE, false)) {
            flags.remove(CreateFlag.OVERWRITE);
        }
        return files.create(
                getPath(),
                new NewFile(
                        () -> files.masked(getPermission()),
                        flags,
                        isRecursive(),
                        getReplication(),
                        getBlockSize(),
                        options.getInt(WIDTH, 0),
                        options.getInt(STRIP_SIZE, 0)));
    }
}
