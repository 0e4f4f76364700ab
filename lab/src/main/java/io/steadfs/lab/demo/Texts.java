package io.steadfs.lab.demo;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text files of a folder. Links are followed. Files whose names begin with a dot or an underscore are left out,
 * because Spark ignores such files. Compressed files are left out, because Spark expands compressed files.
 *
 * @param folder folder to which {@code files} are relative
 * @param files paths of the files relative to the folder, sorted
 * @param bytes number of bytes of all files together
 * @param leftOut number of files that were left out
 */
record Texts(Path folder, List<Path> files, long bytes, int leftOut) {
    private static final Pattern HIDDEN = Pattern.compile("(^|.*/)[._].*");
    private static final Pattern COMPRESSED = Pattern.compile(".*\\.(gz|bz2|deflate|snappy|lz4|zst|zstd)");

    Texts {
        files = List.copyOf(files);
    }

    /** The folder of the licence and notice texts of the running JDK. */
    static Path ofJdk() {
        return Path.of(System.getProperty("java.home"), "legal");
    }

    /** @throws IOException if the path is no folder, or the folder has no file to read; the message names the folder */
    static Texts in(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            throw new NoSuchFileException(
                    folder.toString(), null, "no such folder of texts; name one: stead demo FOLDER");
        }
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        List<Path> files = new ArrayList<>();
        long bytes = 0;
        int leftOut = 0;
        try (Stream<Path> walk = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
                Path relative = folder.relativize(file);
                if (HIDDEN.matcher(relative.toString()).matches()
                        || COMPRESSED.matcher(relative.toString()).matches()) {
                    leftOut++;
                } else {
                    files.add(relative);
                    bytes += Files.size(file);
                }
            }
        }
        if (files.isEmpty()) {
            throw new IOException("no text to count in " + folder + " (" + leftOut
                    + " files left out because they are hidden or compressed); name another folder: stead demo FOLDER");
        }
        return new Texts(folder, files, bytes, leftOut);
    }
}
