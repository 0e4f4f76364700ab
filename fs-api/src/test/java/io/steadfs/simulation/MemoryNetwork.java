package io.steadfs.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.AudienceDoor;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ReplyReader;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.RequestReader;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Servers and clients joined by messages in memory, in the thread of a {@link SimulatedTime}. Every message is encoded
 * to bytes and decoded from them by the real codec, so nothing is shared between the two ends. Requests of one client to
 * one server arrive in the order sent, but for lost and doubled ones, which are rougher than a connection: a call after
 * a lost one may arrive. Replies come in any order.
 *
 * <p>A server that is not registered when a call is sent is UNREACHABLE; one that crashes gives CONNECTION_LOST to the
 * calls sent to it and not answered, unless a reply sent before is quicker; whatever it replies later goes nowhere. A
 * lost message is a TIMED_OUT.
 */
public final class MemoryNetwork {
    private static final int MAX_TRACE = 1_000_000;

    /** On the heap, where many small ones are cheaper. */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false);

    private static final FrameLimits LIMITS = FrameLimits.from(Settings.defaults());

    private final SimulatedTime time;
    private final Random random;
    private final MessageCounters counters = new MessageCounters();
    private final Map<String, Long> doubled = new HashMap<>();
    private final Map<ServerAddress, Host> hosts = new HashMap<>();
    private final Set<String> cuts = new HashSet<>();
    private final List<Note> trace = new ArrayList<>();
    /** Of a client's requests to each server: its calls stay in order over all its transports. */
    private final Map<String, Map<ServerAddress, Long>> lastArrival = new HashMap<>();

    private long fingerprint;
    private Faults faults = Faults.NONE;
    /** How late replies to calls of a kind come at worst, besides, in microseconds. */
    private final Map<Kind, Long> lateReplies = new EnumMap<>(Kind.class);

    private long lastCall;

    public MemoryNetwork(SimulatedTime time, long seed) {
        this.time = time;
        this.random = new Random(seed);
    }

    /** From now on. */
    public void setFaults(Faults newFaults) {
        faults = newFaults;
    }

    /** From now on, replies to calls of this kind come so much later at worst, whatever else happens; 0 = no more. */
    public void setLateReplies(Kind kind, long mostMicros) {
        lateReplies.put(kind, mostMicros);
    }

    /** A client's way to all servers. The name appears in the trace and as the peer of its calls. */
    public Transport client(String name) {
        return client(name, PeerIdentity.client(name));
    }

    /** Likewise, of somebody who says HELLO so. */
    public Transport client(String name, PeerIdentity peerIdentity) {
        return new ClientTransport(name, peerIdentity);
    }

    /** A server starts at this address. Whoever names a user may do what admins may, if his HELLO says that he is one. */
    public void start(ServerAddress address, RequestHandler handler) {
        AudienceDoor door =
                new AudienceDoor(handler, caller -> !caller.getUser().isEmpty());
        if (hosts.putIfAbsent(address, new Host(address, door)) != null) {
            throw new IllegalArgumentException(address + " is in use");
        }
        note(address + " starts");
    }

    /** The server at this address dies; its process's own state is the caller's business. */
    public void crash(ServerAddress address) {
        Host host = hosts.remove(address);
        if (host == null) {
            throw new IllegalArgumentException("no server at " + address);
        }
        note(address + " crashes");
        for (Outgoing call : new ArrayList<>(host.calls)) {
            time.afterNanos(delayNanos(), () -> call.fail(FsError.CONNECTION_LOST, address + ": the server crashed"));
        }
        host.calls.clear();
    }

    /** Loses every message between this client and this server, both ways, until healed. */
    public void cut(String client, ServerAddress server) {
        cuts.add(client + " " + server);
        note(client + " is cut from " + server);
    }

    public void heal(String client, ServerAddress server) {
        cuts.remove(client + " " + server);
        note(client + " is joined to " + server);
    }

    /** Requests sent and arrived, of all clients and servers together. */
    public MessageCounters counters() {
        return counters;
    }

    /** How many requests of this client were doubled. */
    public long doubled(String client) {
        return doubled.getOrDefault(client, 0L);
    }

    /** What happened, in order, one line each; the first {@value #MAX_TRACE} lines. */
    public List<String> trace() {
        return trace.stream().map(Note::toString).toList();
    }

    /** Of all that happened and when: equal in equal runs, also of different processes. */
    public long fingerprint() {
        return fingerprint;
    }

    private void note(String what) {
        note(new Note(time.monotonicNanos(), what, Optional.empty(), ""));
    }

    private void note(String before, Outgoing call, String after) {
        note(new Note(time.monotonicNanos(), before, Optional.of(call.id), after));
    }

    private void note(Note note) {
        fingerprint = 31 * (31 * fingerprint + note.nanos())
                + note.call().map(CallId::number).orElse(0L);
        if (trace.size() < MAX_TRACE) {
            trace.add(note);
        }
    }

    /** What a call is called. */
    private record CallId(String client, ServerAddress server, Kind kind, long number) {
        @Override
        public String toString() {
            return client + " -> " + server + " " + kind + " #" + number;
        }
    }

    /** One line of the trace; most are never read, so it is put into words only then. */
    private record Note(long nanos, String before, Optional<CallId> call, String after) {
        @Override
        public String toString() {
            return nanos / 1000 + " us: " + before + call.map(CallId::toString).orElse("") + after;
        }
    }

    private long delayNanos() {
        long spread = faults.mostDelayMicros() - faults.leastDelayMicros() + 1;
        return (faults.leastDelayMicros() + (long) (random.nextDouble() * spread)) * 1000;
    }

    private long lateNanos(Kind kind) {
        long most = lateReplies.getOrDefault(kind, 0L);
        return most == 0 ? 0 : 1000 * (long) (random.nextDouble() * most);
    }

    private boolean chance(int perMille) {
        return random.nextInt(1000) < perMille;
    }

    private static byte[] bytes(ByteBuf head, Payload payload) {
        ByteBuf frame = Unpooled.buffer(head.readableBytes() + (int) payload.length());
        try {
            frame.writeBytes(head);
            if (payload instanceof Payload.Bytes bytes) {
                frame.writeBytes(bytes.buffer().duplicate());
            } else if (payload instanceof Payload.Region region) {
                try (ByteBufOutputStream out = new ByteBufOutputStream(frame)) {
                    region.region().transferTo(Channels.newChannel(out), 0);
                }
            }
            return ByteBufUtil.getBytes(frame, 0, frame.readableBytes(), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            head.release();
            payload.release();
            frame.release();
        }
    }

    private static void decode(byte[] frame, FrameDecoder.Sink sink) {
        ByteBuf in = Unpooled.wrappedBuffer(frame);
        try (FrameDecoder decoder = new FrameDecoder(LIMITS, BUFFERS)) {
            decoder.feed(in, sink);
        } finally {
            in.release();
        }
    }

    /** A running server. */
    private static final class Host {
        private final ServerAddress address;
        private final RequestHandler handler;
        /** Sent to it and not answered. */
        private final Set<Outgoing> calls = new LinkedHashSet<>();

        private Host(ServerAddress address, RequestHandler handler) {
            this.address = address;
            this.handler = handler;
        }
    }

    /** One client's transport. */
    private final class ClientTransport implements Transport {
        private final String name;
        private final PeerIdentity peerIdentity;
        private final Set<Outgoing> calls = new LinkedHashSet<>();
        private boolean closed;

        private ClientTransport(String name, PeerIdentity peerIdentity) {
            this.name = name;
            this.peerIdentity = peerIdentity;
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            Outgoing call = new Outgoing(this, server, request.kind(), ++lastCall);
            counters.out(request.kind(), request.header().getStep());
            byte[] frame = bytes(
                    FrameEncoder.request(
                            BUFFERS,
                            request.kind(),
                            call.id.number(),
                            (int) Math.min(Integer.MAX_VALUE, Math.max(1, timeoutMillis)),
                            request.header(),
                            request.body(),
                            (int) request.payload().length()),
                    request.payload());
            Host host = hosts.get(server);
            if (closed || host == null) {
                note("", call, " finds nobody");
                time.afterNanos(delayNanos(), () -> call.fail(FsError.UNREACHABLE, server + ": nobody is there"));
                return call;
            }
            calls.add(call);
            host.calls.add(call);
            call.host = host;
            call.timeout = time.after(
                    timeoutMillis,
                    () -> call.fail(FsError.TIMED_OUT, server + ": no reply within " + timeoutMillis + " ms"));
            if (chance(faults.lostPerMille()) || call.isCut()) {
                note("", call, " is lost");
            } else {
                Map<ServerAddress, Long> last = lastArrival.computeIfAbsent(name, client -> new HashMap<>());
                long arrival = Math.max(time.monotonicNanos() + delayNanos(), last.getOrDefault(server, 0L) + 1);
                last.put(server, arrival);
                deliver(call, host, frame, arrival - time.monotonicNanos());
            }
            if (chance(faults.doubledPerMille()) && !call.isCut()) {
                doubled.merge(name, 1L, Long::sum);
                deliver(call, host, frame, 2 * delayNanos());
            }
            return call;
        }

        private void deliver(Outgoing call, Host host, byte[] frame, long delay) {
            time.afterNanos(delay, () -> {
                if (hosts.get(host.address) == host) {
                    note("", call, " arrives");
                    decode(frame, new RequestReader(new Arrival(call, host)));
                }
            });
        }

        @Override
        public void close() {
            closed = true;
            for (Outgoing call : new ArrayList<>(calls)) {
                call.fail(FsError.CONNECTION_LOST, "the transport was closed");
            }
        }
    }

    /** A call as its client sees it. */
    private final class Outgoing extends CompletableFuture<Reply> {
        private final ClientTransport client;
        private final CallId id;
        private final List<Arrival> arrivals = new ArrayList<>();
        private @Nullable Host host;
        private Scheduler.@Nullable Cancellable timeout;

        private Outgoing(ClientTransport client, ServerAddress server, Kind kind, long number) {
            this.client = client;
            this.id = new CallId(client.name, server, kind, number);
        }

        private boolean isCut() {
            return !cuts.isEmpty() && cuts.contains(client.name + " " + id.server());
        }

        private void fail(FsError error, String message) {
            if (!isDone()) {
                finish(Reply.refused(id.kind(), error, message));
            }
        }

        private void finish(Reply reply) {
            settle();
            if (complete(reply)) {
                note("", this, " gets " + reply.error());
            } else {
                reply.payload().release();
            }
        }

        private void settle() {
            client.calls.remove(this);
            if (host != null) {
                host.calls.remove(this);
            }
            if (timeout != null) {
                timeout.cancel();
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                note("", this, " is taken back");
                settle();
                time.afterNanos(delayNanos(), () -> arrivals.forEach(arrival -> arrival.cancelled = true));
            }
            return cancelled;
        }

        @Override
        public String toString() {
            return id.toString();
        }
    }

    /** A request as the server sees it; twice for a doubled one. */
    private final class Arrival implements RequestReader.Receiver, RequestHandler.Call {
        private final Outgoing call;
        private final Host host;
        private final long arrivalNanos = time.monotonicNanos();
        private @Nullable Request request;
        private boolean cancelled;
        private boolean replied;

        private Arrival(Outgoing call, Host host) {
            this.call = call;
            this.host = host;
        }

        @Override
        public void request(Request decoded) {
            request = decoded;
            call.arrivals.add(this);
            counters.in(
                    decoded.kind(), decoded.header().getStep(), decoded.header().getWatching());
            host.handler.handle(this);
        }

        @Override
        public Request request() {
            if (request == null) {
                throw new IllegalStateException(call + " was not decoded");
            }
            return request;
        }

        @Override
        public String peer() {
            return call.client.name;
        }

        @Override
        public PeerIdentity peerIdentity() {
            return call.client.peerIdentity;
        }

        @Override
        public boolean isCancelled() {
            long deadline = Integer.toUnsignedLong(request().header().getDeadlineMillis()) * 1_000_000;
            return cancelled || hosts.get(host.address) != host || time.monotonicNanos() - arrivalNanos >= deadline;
        }

        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public void reply(Reply reply) {
            byte[] frame = bytes(
                    FrameEncoder.reply(BUFFERS, call.id.number(), reply.header(), reply.body(), (int)
                            reply.payload().length()),
                    reply.payload());
            if (replied) {
                throw new IllegalStateException("second reply to " + call);
            }
            replied = true;
            if (hosts.get(host.address) != host) {
                return;
            }
            if (chance(faults.lostPerMille()) || call.isCut()) {
                note("reply to ", call, " is lost");
                return;
            }
            // On its way, it arrives even if the server ends now.
            time.afterNanos(delayNanos() + lateNanos(call.id.kind()), () -> {
                if (!call.isDone()) {
                    decode(frame, new ReplyReader(new Answer(call)));
                }
            });
        }

        @Override
        public void cancel(long number) {
            throw new AssertionError("no cancel frames are sent here");
        }

        @Override
        public void refuse(long number, FsError error, String message) {
            throw new AssertionError(call + " cannot be decoded: " + error + ": " + message);
        }

        @Override
        public void end(long number, FsError error, String message) {
            throw new AssertionError(call + " cannot be decoded: " + error + ": " + message);
        }

        @Override
        public boolean wantsMore() {
            return true;
        }
    }

    /** A reply as the client receives it. */
    private record Answer(Outgoing call) implements ReplyReader.Receiver {
        @Override
        public Optional<Kind> kindOf(long number) {
            return Optional.of(call.id.kind());
        }

        @Override
        public void reply(long number, Reply reply) {
            call.finish(reply);
        }

        @Override
        public void end(FsError error, String message) {
            throw new AssertionError("reply to " + call + " cannot be decoded: " + error + ": " + message);
        }
    }
}
