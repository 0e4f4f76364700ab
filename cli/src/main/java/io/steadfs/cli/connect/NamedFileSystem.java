package io.steadfs.cli.connect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * Finds the file system of a command whose options do not name a file system. All commands find the file system by the
 * same rules. The environment variable {@code STEAD_URI} names the file system. If the variable is not set,
 * {@code fs.defaultFS} in {@code HADOOP_CONF_DIR/core-site.xml} names the file system.
 */
public final class NamedFileSystem {
    /** The environment variable that names the file system if {@code --uri} does not. */
    public static final String URI_VARIABLE = "STEAD_URI";

    private static final String FOLDER_VARIABLE = "HADOOP_CONF_DIR";
    private static final String DEFAULT = CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY;
    /** The message for a user who named no file system. */
    public static final String MISSING =
            "no file system is named: give --uri, for example stead://localhost:7410, or set " + URI_VARIABLE + ", or "
                    + DEFAULT + " in " + FOLDER_VARIABLE + "/core-site.xml";

    private final Map<String, String> environment;

    public NamedFileSystem(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Finds the file system that the environment of this process names. */
    public static NamedFileSystem ofProcess() {
        return new NamedFileSystem(System.getenv());
    }

    /**
     * The URI of the file system, and the place where a user wrote the URI. Empty if no place names a file system.
     *
     * @param uri value of {@code --uri}
     */
    public Optional<Named> find(Optional<String> uri) {
        return uri.map(text -> new Named(text, "--uri"))
                .or(() -> Optional.ofNullable(environment.get(URI_VARIABLE))
                        .filter(text -> !text.isBlank())
                        .map(text -> new Named(text, URI_VARIABLE)))
                .or(() -> coreSite().flatMap(NamedFileSystem::defaultOf));
    }

    /** Hadoop's configuration, including the files in {@code HADOOP_CONF_DIR}. */
    public Configuration configuration() {
        Configuration configuration = new Configuration();
        coreSite().ifPresent(file -> configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        return configuration;
    }

    /**
     * The metadata servers of the file system. Clients try the servers in the order of this list. Usually the list
     * contains only the server in the URI. The host in the URI may be a name NAME for which
     * {@code fs.stead.NAME.servers} is set. In this case, the list contains the servers in that setting.
     *
     * @param uri value of {@code --uri}
     * @throws IllegalArgumentException if no place names a file system, or if the text is not the URI of a file system.
     * If the text is not such a URI, the message tells where a user wrote the text.
     */
    public List<SteadUri> servers(Optional<String> uri) {
        Named named = find(uri).orElseThrow(() -> new IllegalArgumentException(MISSING));
        try {
            SteadUri one = SteadUri.parse(named.text());
            String[] listed = coreSite().isPresent()
                    ? configuration()
                            .getTrimmedStrings("fs.stead." + one.server().host() + ".servers")
                    : new String[0];
            return listed.length == 0
                    ? List.of(one)
                    : Arrays.stream(listed)
                            .map(text -> SteadUri.parse("stead://" + text))
                            .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(named.where() + ": " + e.getMessage(), e);
        }
    }

    private Optional<Path> coreSite() {
        return Optional.ofNullable(environment.get(FOLDER_VARIABLE))
                .map(folder -> Path.of(folder, "core-site.xml"))
                .filter(Files::isRegularFile);
    }

    /**
     * Hadoop's built-in default is the local disk. The built-in default does not count as a name, because no user wrote
     * it.
     */
    private static Optional<Named> defaultOf(Path file) {
        Configuration alone = new Configuration(false);
        alone.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        return Optional.ofNullable(alone.getTrimmed(DEFAULT))
                .filter(text -> !text.isEmpty())
                .map(text -> new Named(text, DEFAULT + " in " + file));
    }

    /**
     * A URI, and the place where a user wrote the URI.
     *
     * @param text the URI exactly as the user wrote it
     * @param where the place, in words for messages
     */
    public record Named(String text, String where) {}
}
