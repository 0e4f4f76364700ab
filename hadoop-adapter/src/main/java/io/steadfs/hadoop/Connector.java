package io.steadfs.hadoop;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes clients: over the network, or in a test over something else. */
interface Connector {
    Connector NETWORK = (settings, servers, caller) -> {
        SteadClient client = SteadClient.connect(settings, servers, caller);
        return new Connection(client, client::counters);
    };

    Connection connect(Settings settings, List<ServerAddress> servers, Caller caller);

    /**
     * A client.
     *
     * @param counters of the client since it was made, by dotted name
     */
    record Connection(SteadFs fs, Supplier<Map<String, Long>> counters) {}
}
