package io.steadfs.lab.bench;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.error.FsException;
import io.steadfs.lab.bench.pace.Latencies;
import io.steadfs.path.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** All clients that use one protocol, with the measurements of all rounds so far. */
final class CreateLane implements AutoCloseable {
    private final Protocol protocol;
    private final List<Connection> connections = new ArrayList<>();
    private final List<CreateClient> clients = new ArrayList<>();
    private final List<Double> roundSeconds = new ArrayList<>();
    private Counters counted = new Counters(new TreeMap<>());
    private Map<String, Long> sentBefore = Map.of();

    /**
     * @param folder in which the clients create files: each client in a directory of its own, or all directly in the
     *     folder
     */
    CreateLane(Protocol protocol, SteadUri uri, Connections maker, CreatePlan plan, FsPath folder) throws FsException {
        this.protocol = protocol;
        for (int i = 0; i < plan.clients(); i++) {
            Connection connection = maker.open(uri, protocol.settings());
            connections.add(connection);
            FsPath directory = plan.shared() ? folder : folder.child("client-" + i);
            clients.add(new CreateClient(connection, plan, directory, protocol + "-client-" + i + "-file-"));
        }
    }

    Protocol protocol() {
        return protocol;
    }

    List<CreateClient> clients() {
        return clients;
    }

    /** Ends the warm-up: discards all measurements so far. */
    void begin() {
        clients.forEach(CreateClient::reset);
        sentBefore = sent();
    }

    /**
     * Adds the measurements of one finished round.
     *
     * @param seconds duration of the round
     * @param grown growth of the servers' counters during the round
     */
    void add(double seconds, Counters grown) {
        roundSeconds.add(seconds);
        counted = counted.plus(grown);
    }

    CreateResult result(String uri, CreatePlan plan) {
        Latencies create = new Latencies();
        Latencies whole = new Latencies();
        clients.forEach(client -> {
            create.add(client.create());
            whole.add(client.whole());
        });
        SortedMap<String, Long> sent = sent();
        sentBefore.forEach((kind, count) -> sent.merge(kind, -count, Long::sum));
        sent.values().removeIf(count -> count == 0);
        return new CreateResult(
                uri,
                plan,
                protocol,
                roundSeconds,
                create,
                whole,
                clients.stream().mapToLong(CreateClient::createSteps).sum(),
                clients.stream().mapToLong(CreateClient::wholeSteps).sum(),
                counted,
                sent);
    }

    private SortedMap<String, Long> sent() {
        TreeMap<String, Long> all = new TreeMap<>();
        connections.forEach(connection ->
                connection.transport().sent().forEach((kind, count) -> all.merge(kind, count, Long::sum)));
        return all;
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
    }
}
