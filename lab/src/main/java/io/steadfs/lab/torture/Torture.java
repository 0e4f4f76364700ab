package io.steadfs.lab.torture;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.fsck.FsckCommand;
import io.steadfs.cli.report.Progress;
import io.steadfs.client.AttributeChange;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.lab.history.HistoryCheck;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** Does one run: starts the processes, makes faults, heals the faults, and checks the file system. */
final class Torture implements AutoCloseable {
    /** Gauges that must be 0 after all work has ended. */
    private static final List<String> LEFT_OVER = List.of(
            "intents.",
            "intent.",
            "prepared.",
            "outbox.",
            "locks.",
            "deletion.",
            "recovery.",
            "datafiles.unconfirmed",
            "partitions.giving",
            "leases.");

    private static final int SETTLE_SECONDS = 5;
    private static final int LOOK_MILLIS = 500;
    private static final int MOST_TOLD = 20;

    private final TorturePlan plan;
    private final Progress progress;
    private final TortureResult result;
    private final Links links = new Links();
    private final Servers servers;
    private final Clients clients;
    private final Proxy proxy;
    private final EventLoops loops = EventLoops.open("stead-torture", Settings.defaults());
    private final NettyTransport transport =
            new NettyTransport(loops, NettyOptions.from(Settings.defaults()), new MessageCounters(), new SystemClock());
    private final ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "torture-samples");
        thread.setDaemon(true);
        return thread;
    });
    private final Samples samples = new Samples();

    Torture(TorturePlan plan, Progress progress) throws IOException {
        this.plan = plan;
        this.progress = progress;
        this.result = new TortureResult(plan);
        this.servers = new Servers(plan, progress);
        this.clients = new Clients(plan, servers.metadataServers());
        this.proxy = new Proxy(links, new SocketOwner(this::processes));
    }

    private Map<Long, String> processes() {
        Map<Long, String> all = new HashMap<>(servers.processes());
        all.putAll(clients.processes());
        return all;
    }

    TortureResult run() throws IOException, InterruptedException {
        progress.say("seed " + plan.seed() + ", everything in " + plan.directory());
        servers.start(proxy);
        servers.noDisks().ifPresent(why -> progress.say("no disk can be filled on this machine: " + why));
        letAllMakeDirectories();
        clients.start();
        for (String slot : clients.slots()) {
            clients.child(slot).awaitReady(TorturePlan.HEALED_SECONDS);
        }
        long everyMillis = Math.max(500, Math.min(10_000, plan.seconds() * 1000L / 60));
        var unused = sampler.scheduleWithFixedDelay(this::sample, everyMillis, everyMillis, TimeUnit.MILLISECONDS);

        progress.say("trouble begins, for " + plan.seconds() + " s");
        Faults faults = new Faults(plan, servers, clients, links, progress);
        faults.run();
        result.faults(faults.counts(), faults.impossible(), servers.noDisks());
        long healed = System.nanoTime();
        progress.say("all is healed");

        awaitServers(healed);
        awaitClients(healed);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        sampler.shutdownNow();
        result.samples(samples.report(), samples.growing());
        result.partitions(samples.partitions());
        clients.ended().forEach(result::difference);
        List<String> hanging = stopClients();
        List<Event> events = histories();
        checkAnswers(events, hanging, healed);
        startUnwellAnew();
        awaitNothingLeft();
        check(events, faults);
        result.ends(servers.ends());
        if (result.verdict()) {
            servers.stopAll();
        }
        return result;
    }

    /** Clients are no superusers. */
    private void letAllMakeDirectories() throws FsException {
        try (Connections connections = new Connections(Settings.defaults());
                Connection connection = connections.open(new SteadUri(address("mds-1")))) {
            connection.fs().setAttributes(FsPath.ROOT, AttributeChange.mode(0777));
        }
    }

    private void sample() {
        for (String name : servers.names()) {
            servers.child(name).ifPresent(child -> samples.take(name, child));
            if (!name.equals(Servers.ZOOKEEPER)) {
                samples.ask(name, transport, address(name));
            }
        }
        clients.slots().forEach(slot -> samples.take(slot, clients.child(slot)));
    }

    /** Returns the server's own address, which does not lead through the proxy. */
    private ServerAddress address(String name) {
        return new ServerAddress(Proxy.REAL_HOST, servers.port(name));
    }

    private static boolean inTime(long fromNanos) {
        return System.nanoTime() - fromNanos < TimeUnit.SECONDS.toNanos(TorturePlan.HEALED_SECONDS);
    }

    private void awaitServers(long healed) throws InterruptedException {
        List<String> unwell = unwell();
        while (!unwell.isEmpty() && inTime(healed)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            unwell = unwell();
        }
        unwell.forEach(what -> result.hang("not well " + TorturePlan.HEALED_SECONDS + " s after healing: " + what));
        result.wellAfterMillis((System.nanoTime() - healed) / 1_000_000);
        progress.say(unwell.isEmpty() ? "all servers are well" : "not well: " + unwell);
    }

    /**
     * Waits until every client has done an operation after the healing. A client that started just before the healing
     * must first load its classes.
     */
    private void awaitClients(long healed) throws IOException, InterruptedException {
        while (inTime(healed) && wentOn(histories(), healed).containsValue(false)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Returns whether each current client has completed an operation with success since the healing. */
    private Map<String, Boolean> wentOn(List<Event> events, long healed) {
        Map<String, Boolean> wentOn = new TreeMap<>();
        for (String slot : clients.slots()) {
            wentOn.put(clients.child(slot).name(), false);
        }
        for (Event event : events) {
            if (event.ok() && event.endNanos() > healed) {
                wentOn.computeIfPresent(event.client(), (client, before) -> true);
            }
        }
        return wentOn;
    }

    /** Restarts servers that did not become well by themselves. The check needs the data of every server. */
    private void startUnwellAnew() throws IOException, InterruptedException {
        for (String name : servers.names()) {
            if (!name.equals(Servers.ZOOKEEPER) && !isWell(name)) {
                progress.say("starting " + name + " anew");
                servers.kill(name);
                servers.startAgain(name);
                servers.child(name).orElseThrow().awaitReady(TorturePlan.HEALED_SECONDS);
            }
        }
    }

    private boolean isWell(String name) {
        try {
            return StatusOf.server(transport, name, address(name)).getProblemsCount() == 0;
        } catch (FsException e) {
            return false;
        }
    }

    private List<String> unwell() {
        List<String> unwell = new ArrayList<>();
        for (String name : servers.names()) {
            if (name.equals(Servers.ZOOKEEPER)) {
                continue;
            }
            try {
                StatusReply status = StatusOf.server(transport, name, address(name));
                status.getProblemsList().forEach(problem -> unwell.add(name + ": " + problem));
            } catch (FsException e) {
                unwell.add(String.valueOf(e.getMessage()));
            }
        }
        if (unwell.isEmpty()) {
            try (Connections connections = new Connections(Settings.defaults());
                    Connection connection = connections.open(new SteadUri(address("mds-1")))) {
                for (ClusterMap.Server server : connection.fs().clusterMap().getServersList()) {
                    if (!server.getAlive()) {
                        unwell.add(server.getRole() + " " + server.getId() + " is not alive in the cluster map");
                    }
                }
            } catch (FsException e) {
                unwell.add(String.valueOf(e.getMessage()));
            }
        }
        return unwell;
    }

    /** Asks the clients to end. Returns the names of the clients that did not end in time. */
    private List<String> stopClients() throws IOException, InterruptedException {
        progress.say("stopping the clients");
        for (String slot : clients.slots()) {
            try {
                clients.child(slot).endInput();
            } catch (IOException e) {
                result.difference(clients.child(slot).name() + " is gone: " + e.getMessage());
            }
        }
        long asked = System.nanoTime();
        List<String> hanging = new ArrayList<>();
        for (String slot : clients.slots()) {
            Child child = clients.child(slot);
            long left = TorturePlan.HEALED_SECONDS * 1000L - (System.nanoTime() - asked) / 1_000_000;
            if (!child.awaitEnd(Math.max(1, left))) {
                hanging.add(child.name());
                child.kill();
            } else if (child.exitCode() != 0) {
                result.difference(child.name() + " ended with exit code " + child.exitCode() + "; see its log");
            }
        }
        return hanging;
    }

    private List<Event> histories() throws IOException {
        List<Event> events = new ArrayList<>();
        for (Map.Entry<String, Path> history : clients.histories().entrySet()) {
            if (Files.exists(history.getValue())) {
                events.addAll(History.read(history.getKey(), history.getValue()));
            }
        }
        return events;
    }

    /**
     * Checks that every operation got its answer soon after the healing. Every client must also have completed an
     * operation after the healing.
     */
    private void checkAnswers(List<Event> events, List<String> hanging, long healed) {
        long limit = TimeUnit.SECONDS.toNanos(TorturePlan.HEALED_SECONDS);
        for (Event event : events) {
            result.operation(event);
            boolean never = event.endNanos() == Event.NEVER && hanging.contains(event.client());
            if (never
                    || (event.endNanos() != Event.NEVER
                            && event.endNanos() - Math.max(healed, event.beginNanos()) > limit)) {
                result.hang(event.toString());
            }
        }
        hanging.forEach(client -> result.hang(client + " did not stop within " + TorturePlan.HEALED_SECONDS + " s"));
        wentOn(events, healed).forEach((client, did) -> {
            if (!did) {
                result.hang(client + " did nothing with success after healing");
            }
        });
    }

    private void awaitNothingLeft() throws InterruptedException {
        progress.say("waiting until nothing is left over");
        long begun = System.nanoTime();
        Map<String, Long> left = leftOver();
        while (!left.isEmpty() && inTime(begun)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            left = leftOver();
        }
        left.forEach((what, count) -> result.leftOver(what + " = " + count));
        result.restAfterMillis((System.nanoTime() - begun) / 1_000_000);
    }

    private Map<String, Long> leftOver() {
        Map<String, Long> left = new TreeMap<>();
        for (String name : servers.names()) {
            if (name.equals(Servers.ZOOKEEPER)) {
                continue;
            }
            try {
                StatusOf.server(transport, name, address(name)).getGaugesMap().forEach((gauge, value) -> {
                    if (value != 0 && LEFT_OVER.stream().anyMatch(gauge::startsWith)) {
                        left.put(name + " " + gauge, value);
                    }
                });
            } catch (FsException e) {
                left.put(name + " does not answer", 1L);
            }
        }
        return left;
    }

    private void check(List<Event> events, Faults faults) throws IOException {
        progress.say("reading everything and comparing it with " + events.size() + " operations");
        List<Long> losses = new ArrayList<>(faults.lossNanos());
        servers.ends().stream()
                .filter(end -> String.valueOf(end.get("server")).startsWith("io"))
                .forEach(end -> losses.add((Long) end.get("nanos")));
        OwnReplay.Crashes crashes = (from, until) -> losses.stream().anyMatch(nanos -> nanos >= from && nanos <= until);
        try (Connections connections = new Connections(Settings.of(Map.of("stead.client.operation.timeout", "20000")));
                Connection connection = connections.open(new SteadUri(address("mds-1")))) {
            Found found = Found.in(connection.fs());
            found.differences().forEach(result::difference);
            found.open().forEach(path -> result.leftOver(path + " still counts as being written"));
            Map<String, List<Event>> byClient = new TreeMap<>();
            events.forEach(event -> byClient.computeIfAbsent(
                            plan.wide() == 0 ? event.client() : Clients.slotOf(event.client()),
                            key -> new ArrayList<>())
                    .add(event));
            byClient.forEach((client, all) -> OwnCheck.byThread(all).forEach((thread, own) -> {
                OwnCheck check = new OwnCheck(OwnPlace.of(client, thread, plan.wide()), crashes, found);
                check.run(own);
                check.differences().forEach(result::difference);
                result.checked(check.acknowledged(), check.acknowledgedBytes());
            }));
            SharedCheck shared = new SharedCheck(found, crashes);
            shared.run(events);
            shared.differences().forEach(result::difference);
            result.checked(shared.acknowledged(), shared.acknowledgedBytes());
            result.history(new HistoryCheck(HistoryCheck.MOST_CONFIGURATIONS)
                    .eachName(new SharedHistory(events, found).operations()));
            result.found(found.things().size(), found.bytes());
        }
        checkAsFsckDoes();
        result.differences().stream().limit(MOST_TOLD).forEach(what -> progress.say("DIFFERENCE " + what));
    }

    private void checkAsFsckDoes() {
        StringWriter out = new StringWriter();
        PrintWriter written = new PrintWriter(out);
        int exitCode = new CommandLine(new FsckCommand())
                .setOut(written)
                .setErr(written)
                .execute("--uri", "stead://" + address("mds-1"), "--json");
        if (exitCode != 0) {
            result.difference("fsck ends with exit code " + exitCode + ": " + out);
        }
    }

    /** Keeps the servers' data for a person who looks into a failure. */
    void keepData() throws IOException, InterruptedException {
        servers.keepData();
    }

    @Override
    public void close() {
        sampler.shutdownNow();
        clients.close();
        servers.close();
        proxy.close();
        transport.close();
        loops.close();
    }
}
