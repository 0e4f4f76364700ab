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
 * The text files of a folder and of all folders below. Symbolic links are followed. Hidden files are left out, because
 * Spark ignores hidden files. The name of a hidden file begins with a dot or an underscore. Compressed files are left
 * out, because Spark decompresses such files.
 *
 * @param folder folder to which all paths in {@code files} are relative
 * @param files paths relative to the folder, in sorted order
 * @param bytes length of all files together, in bytes
 * @param leftOut number of files that were left out
 */
record Texts(Path folder, List<Path> files, long bytes, int leftOut) {
    private static final Pattern HIDDEN = Pattern.compile("(^|.*/)[._].*");
    private static final Pattern COMPRESSED = Pattern.compile(".*\\.(gz|bz2|deflate|snappy|lz4|zst|zstd)");

    Texts {
        files = List.copyOf(files);
    }

    /** The folder with the licence texts and notices of the running JDK. */
    static Path ofJdk() {
        return Path.of(System.getProperty("java.home"), "legal");
    }

    /**
     * @throws IOException if the folder does not exist, is no folder, or has no file to read; the message names the
     *     folder
     */
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
