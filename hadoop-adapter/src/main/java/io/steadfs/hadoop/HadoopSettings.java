package io.steadfs.hadoop;

import io.steadfs.client.ClientKeys;
import io.steadfs.cluster.UsualPorts;
import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.layout.ProtocolName;
import io.steadfs.rpc.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads the settings of SteadFS from Hadoop's configuration. In Hadoop's configuration, the key {@code stead.x.y} is
 * called {@code fs.stead.x.y}. The key {@code fs.stead.NAME.servers} lists the metadata servers of the cluster {@code
 * stead://NAME/}.
 */
final class HadoopSettings {
    static final String SCHEME = "stead";
    /** Port of the metadata server if the URI names no port. */
    static final int DEFAULT_PORT = UsualPorts.MDS;

    static final String PREFIX = "fs.stead.";
    private static final ConfigKeys KNOWN = AdapterKeys.ALL.and(ClientKeys.ALL);

    /** Default values of the adapter that differ from the default values of the client. */
    private static final Map<String, String> DEFAULTS =
            Map.of("stead.create.protocol", ProtocolName.ADAPTIVE.toString());

    private HadoopSettings() {}

    /** @throws IOException if a key has the prefix of SteadFS but is unknown; the message names the key */
    static Settings of(Configuration conf) throws IOException {
        List<String> names = new ArrayList<>();
        for (String rest : conf.getPropsWithPrefix(PREFIX).keySet()) {
            if (!rest.endsWith(".servers") && !rest.equals("impl") && !rest.startsWith("impl.")) {
                names.add("stead." + rest);
            }
        }
        try {
            KNOWN.checkNames(names, "Hadoop's configuration, where it has the prefix 'fs.'");
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
        return Settings.from(name -> Optional.ofNullable(conf.getTrimmed("fs." + name, DEFAULTS.get(name))));
    }

    /** Whether the host part of the URI is the name of a cluster instead of the name of a host. */
    static boolean isNamed(URI uri, Configuration conf) {
        return conf.getTrimmed(serversKey(uri)) != null;
    }

    /**
     * The metadata servers of the cluster that the URI names.
     *
     * @throws IOException if the URI names no server or has an impossible port; also if the configured list of servers
     *     is empty or cannot be parsed
     */
    static List<ServerAddress> servers(URI uri, Configuration conf) throws IOException {
        if (uri.getHost() == null) {
            throw new IOException(
                    "'" + uri + "' names no cluster: write stead://host:port/ with any metadata server, or"
                            + " stead://name/ and set fs.stead.name.servers");
        }
        if (!isNamed(uri, conf)) {
            String host = uri.getHost();
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            try {
                return List.of(new ServerAddress(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort()));
            } catch (IllegalArgumentException e) {
                throw new IOException("'" + uri + "' names no metadata server: " + e.getMessage(), e);
            }
        }
        List<ServerAddress> servers = new ArrayList<>();
        for (String text : conf.getTrimmedStrings(serversKey(uri))) {
            try {
                servers.add(ServerAddress.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IOException(serversKey(uri) + ": " + e.getMessage(), e);
            }
        }
        if (servers.isEmpty()) {
            throw new IOException(serversKey(uri) + " lists no server");
        }
        return servers;
    }

    private static String serversKey(URI uri) {
        return PREFIX + uri.getHost() + ".servers";
    }
}
