package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * How any process of this machine opens a client of a system.
 *
 * @param uri address of the file system
 * @param values Hadoop configuration of the client
 * @param jar client jar whose classes the client has; empty if the client has the classes of this program
 */
public record ClientOpening(URI uri, Map<String, String> values, Optional<Path> jar) {
    public ClientOpening {
        values = Map.copyOf(values);
    }

    /**
     * Opens a new client. Its class loader is never closed, because client threads load classes until the process ends.
     *
     * @throws IOException if the client cannot be opened. Some clients connect to servers only later
     */
    public FileSystem open() throws IOException {
        Configuration client = new Configuration();
        values.forEach(client::set);
        if (jar.isPresent()) {
            client.setClassLoader(new JarFirst(jar.get()));
        }
        return FileSystem.newInstance(uri, client);
    }

    /** The same client for a process that has the jar on its class path. */
    public ClientOpening withoutJar() {
        return new ClientOpening(uri, values, Optional.empty());
    }

    /** The words that tell this to another process: address, jar or an empty word, and KEY=VALUE of each value. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add(uri.toString());
        arguments.add(jar.map(Path::toString).orElse(""));
        new TreeMap<>(values).forEach((key, value) -> arguments.add(key + "=" + value));
        return arguments;
    }

    /** Reads the words of {@link #arguments}. */
    public static ClientOpening parse(List<String> arguments) {
        Map<String, String> values = new TreeMap<>();
        for (String argument : arguments.subList(2, arguments.size())) {
            int equals = argument.indexOf('=');
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        String jar = arguments.get(1);
        return new ClientOpening(
                URI.create(arguments.get(0)), values, jar.isEmpty() ? Optional.empty() : Optional.of(Path.of(jar)));
    }
}
