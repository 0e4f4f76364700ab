package io.steadfs.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.TreeSet;

/** The files of the repository. */
public final class Repository {
    private Repository() {}

    /** The folder that all of it is in. A test runs in the folder of its module. */
    public static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("bin/stead"))) {
            Path parent = folder.getParent();
            if (parent == null) {
                throw new AssertionError(Path.of("").toAbsolutePath() + " is not in the repository");
            }
            folder = parent;
        }
        return folder;
    }

    /**
     * All files whose names end so, relative to {@link #home}. Those that a build makes are left out, and folders whose names begin with a
     * dot.
     */
    public static List<String> files(String... endings) {
        Path home = home();
        TreeSet<String> found = new TreeSet<>();
        try {
            Files.walkFileTree(home, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    boolean isLeftOut = name.equals("target") || (name.startsWith(".") && !folder.equals(home));
                    return isLeftOut ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    for (String ending : endings) {
                        if (file.getFileName().toString().endsWith(ending)) {
                            found.add(home.relativize(file).toString());
                        }
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(found);
    }

    /** All pages. */
    public static List<Page> pages() {
        return files(".md").stream().map(Page::of).toList();
    }
}
