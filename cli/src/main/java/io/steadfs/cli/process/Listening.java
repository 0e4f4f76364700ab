package io.steadfs.cli.process;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ServerPort;
import java.util.List;
import java.util.Optional;

/**
 * The address on which a server listens, and the address at which others reach the server.
 *
 * @param bindHost address on which the server listens
 * @param port port on which the server listens; 0 = any free port
 * @param announcedHost host name or address of the server in the cluster map
 * @param rack rack of the server; empty if the rack is unknown
 */
public record Listening(String bindHost, int port, String announcedHost, String rack) {
    public static final ConfigKey<String> BIND_HOST = ConfigKey.text(
            "stead.bind.host", "127.0.0.1", "Address to listen on. Servers believe what clients say of their user.");

    public static final ConfigKey<String> ANNOUNCED_HOST = ConfigKey.text(
            "stead.announced.host",
            "",
            "Name or address under which others reach this server; empty = stead.bind.host.");

    public static final ConfigKey<Optional<Integer>> PORT = ServerPort.key(
            "stead.port",
            0,
            "Port to listen on: usual is 7410 for mds-1, 7411 for mds-2 and so on, 7510 for io-1, 7511 for io-2 and so"
                    + " on; 0 takes any free one.");

    public static final ConfigKey<String> RACK =
            ConfigKey.text("stead.rack", "", "Rack of this server, as clients are told.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(BIND_HOST, ANNOUNCED_HOST, PORT, RACK));

    /** Reads the addresses of the server from the server's configuration. */
    public static Listening of(ServerId server, Settings settings) {
        String bind = settings.get(BIND_HOST);
        String announced = settings.get(ANNOUNCED_HOST);
        return new Listening(
                bind,
                settings.get(PORT).orElseGet(() -> ServerPort.usual(server)),
                announced.isEmpty() ? bind : announced,
                settings.get(RACK));
    }

    /** An address that only this machine can reach. */
    public static Listening loopback(int port) {
        return new Listening("127.0.0.1", port, "127.0.0.1", "");
    }
}
