package io.steadfs.hadoop;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.call.Traces;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes the client of a mount. A test may make a client that does not use the network. */
interface Connector {
    // The stack traces are those of Hadoop's exceptions.
    Connector NETWORK = (settings, servers, caller) -> {
        SteadClient client = SteadClient.connect(settings, servers, caller, Traces.UNWANTED);
        // A first connection takes as long as hundreds of calls.
        client.async().connect();
        return new Connection(client, client::counters);
    };

    Connection connect(Settings settings, List<ServerAddress> servers, Caller caller);

    /**
     * A client, together with its counters.
     *
     * @param counters values by dotted name, counted since the client was made
     */
    record Connection(SteadFs fs, Supplier<Map<String, Long>> counters) {}
}
