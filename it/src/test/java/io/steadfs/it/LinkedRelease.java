package io.steadfs.it;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A folder with what a release has: {@code bin/stead}, and links to the jars that the checkout was built into. */
public final class LinkedRelease implements AutoCloseable {
    private static final Path CHECKOUT = Path.of(System.getProperty("stead.home", ".."));

    private final Path home;
    private final List<Path> links = new ArrayList<>();

    private LinkedRelease(Path home) {
        this.home = home;
    }

    /**
     * Makes the release.
     *
     * @param home the folder, which is made
     * @param version version and commit, as the file VERSION has them
     * @throws IOException if the checkout is not built, or the disk fails
     */
    public static LinkedRelease in(Path home, String version) throws IOException {
        LinkedRelease release = new LinkedRelease(Files.createDirectory(home));
        for (String each : new String[] {"bin", "lib", "client"}) {
            Files.createDirectory(home.resolve(each));
        }
        // A link would lead the command back to the checkout.
        Files.copy(CHECKOUT.resolve("bin/stead"), release.command(), StandardCopyOption.COPY_ATTRIBUTES);
        release.link("lab/target/lib", "*.jar", "lib");
        release.link("lab/target", "steadfs-lab-[0-9]*.jar", "lib");
        release.link("hadoop-adapter/target", "steadfs-hadoop-[0-9]*.jar", "client");
        Files.writeString(home.resolve("VERSION"), version + "\n");
        return release;
    }

    private void link(String from, String pattern, String to) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(CHECKOUT.resolve(from), pattern)) {
            for (Path jar : jars) {
                links.add(Files.createSymbolicLink(home.resolve(to).resolve(jar.getFileName()), jar.toRealPath()));
            }
        }
    }

    public Path home() {
        return home;
    }

    public Path command() {
        return home.resolve("bin/stead");
    }

    /** Removes the links, because JUnit warns of each link that it finds. */
    @Override
    public void close() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }
}
