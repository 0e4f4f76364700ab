package io.steadfs.cli.counting;

import io.steadfs.client.SteadFs;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Asks every server of a cluster for its counters. */
public final class CounterReader {
    private static final long TIMEOUT_MILLIS = 10_000;

    private final Transport transport;
    private final SteadFs fs;

    /** Closes neither. */
    public CounterReader(Transport transport, SteadFs fs) {
        this.transport = transport;
        this.fs = fs;
    }

    /** @throws FsException naming the server that did not answer */
    public Counters read() throws FsException {
        TreeMap<String, SortedMap<String, Long>> byServer = new TreeMap<>();
        for (ClusterMap.Server server : fs.clusterMap().getServersList()) {
            String name = server.getRole().name().toLowerCase(Locale.ROOT) + "-" + server.getId();
            if (server.getAlive()) {
                byServer.put(name, new TreeMap<>(status(name, server).getCountersMap()));
            }
        }
        return new Counters(byServer);
    }

    private StatusReply status(String name, ClusterMap.Server server) throws FsException {
        ServerAddress address = new ServerAddress(server.getHost(), server.getPort());
        Request request = new Request(
                Kind.STATUS,
                RequestHeader.newBuilder()
                        .setKind(Kind.STATUS.number())
                        .setStep("status")
                        .build(),
                StatusRequest.getDefaultInstance(),
                Payload.EMPTY);
        try {
            return transport.send(address, request, TIMEOUT_MILLIS).join().body(StatusReply.class);
        } catch (FsException e) {
            throw new FsException(e.error(), "status of " + name + " at " + address, e);
        } catch (RuntimeException e) {
            throw new FsException(FsError.FAULT, "status of " + name + " at " + address, e);
        }
    }
}
