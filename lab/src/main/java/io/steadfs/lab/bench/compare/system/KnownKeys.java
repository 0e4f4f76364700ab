package io.steadfs.lab.bench.compare.system;

import io.steadfs.cli.process.ServerKeys;
import io.steadfs.client.ClientKeys;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The names of all configuration keys that one build of SteadFS knows.
 *
 * @param servers keys of metadata servers and IO servers
 * @param clients keys of clients; some are also keys of servers
 */
public record KnownKeys(Set<String> servers, Set<String> clients) {
    private static final String CLIENTS = "## Clients";
    private static final String ROW = "| `stead.";

    public KnownKeys {
        servers = Set.copyOf(servers);
        clients = Set.copyOf(clients);
    }

    /** The keys of this build. */
    static KnownKeys here() {
        return new KnownKeys(names(ServerKeys.MDS.and(ServerKeys.IO)), names(ClientKeys.ALL));
    }

    private static Set<String> names(ConfigKeys keys) {
        return keys.list().stream().map(ConfigKey::name).collect(Collectors.toSet());
    }

    /**
     * Reads the keys of another build from the build's page {@code docs/configuration.md}. If a build has no such page,
     * returns the keys of this build.
     *
     * @throws IllegalArgumentException if the page cannot be read; the message names the page
     */
    public static KnownKeys of(SteadHome home) {
        Path page = home.path().resolve("docs/configuration.md");
        if (!Files.exists(page)) {
            return here();
        }
        Set<String> servers = new TreeSet<>();
        Set<String> clients = new TreeSet<>();
        try {
            boolean ofClients = false;
            for (String line : Files.readAllLines(page)) {
                if (line.startsWith("## ")) {
                    ofClients = line.equals(CLIENTS);
                } else if (line.startsWith(ROW)) {
                    (ofClients ? clients : servers).add(line.split("`", 3)[1]);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + page + ": " + e.getMessage(), e);
        }
        return new KnownKeys(servers, clients);
    }

    /**
     * @throws IllegalArgumentException if a key is unknown. The message names the first unknown key, and where the user
     *     set the key
     */
    public void check(Collection<String> names, String where) {
        for (String name : names) {
            if (!servers.contains(name) && !clients.contains(name)) {
                throw new IllegalArgumentException("unknown configuration key '" + name + "' in " + where);
            }
        }
    }

    /** Returns the values whose keys are for servers. */
    Map<String, String> ofServers(Map<String, String> values) {
        Map<String, String> some = new TreeMap<>(values);
        some.keySet().retainAll(servers);
        return some;
    }

    /**
     * Returns the values whose keys are for clients, by their keys in a Hadoop configuration. Each key in the result has the prefix
     * {@code fs.}
     */
    Map<String, String> ofClients(Map<String, String> values) {
        Map<String, String> client = new TreeMap<>();
        values.forEach((key, value) -> {
            if (clients.contains(key)) {
                client.put("fs." + key, value);
            }
        });
        return client;
    }
}
