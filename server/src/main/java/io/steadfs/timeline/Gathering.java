package io.steadfs.timeline;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.recent.RecentMessage;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RecentMessagesReply;
import io.steadfs.wire.proto.RecentMessagesRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Asks all servers of a cluster for their recent messages, and builds timelines from the answers. Thread-safe. */
public final class Gathering {
    private static final long TIMEOUT_MILLIS = 10_000;

    /**
     * The most messages of one operation to read from each server. If a server has more messages, only the newest ones
     * are read.
     */
    private static final int MOST_OF_OPERATION = 100_000;

    private final Transport transport;
    private final Clock clock;

    /** @param clock the clock with which the transport measures its messages */
    public Gathering(Transport transport, Clock clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /**
     * Builds the timeline of one operation. Each server that does not answer is a problem of the timeline.
     *
     * @param own the messages that a client in this process sent for the operation; empty if another client sent them
     */
    public Timeline timeline(ClusterMap map, long traceId, List<RecentMessage> own) {
        List<String> problems = new ArrayList<>();
        List<Kept> kept = ask(map, traceId, MOST_OF_OPERATION, problems);
        return Timeline.of(traceId, new Joining(names(map), kept).join(own), problems);
    }

    /**
     * The recent operations of which servers still have messages, the newest first.
     *
     * @param mostMessages the most messages to read from each server
     */
    public RecentOperations operations(ClusterMap map, int mostMessages) {
        List<String> problems = new ArrayList<>();
        List<Kept> kept = ask(map, 0, mostMessages, problems);
        return RecentOperations.of(kept, clock.monotonicNanos(), problems);
    }

    private List<Kept> ask(ClusterMap map, long traceId, int most, List<String> problems) {
        List<Answer> answers = map.getServersList().parallelStream()
                .map(server -> ask(map, server, traceId, most))
                .toList();
        answers.forEach(each -> each.problem().ifPresent(problems::add));
        return answers.stream()
                .flatMap(each -> each.kept().stream())
                .sorted(Comparator.comparing(Kept::server))
                .toList();
    }

    /** A server's answer: either its messages or a problem. */
    private record Answer(Optional<Kept> kept, Optional<String> problem) {}

    private Answer ask(ClusterMap map, ClusterMap.Server server, long traceId, int most) {
        String name = name(server);
        if (!server.getAlive()) {
            return new Answer(
                    Optional.empty(), Optional.of(name + " is not asked: the cluster map says that it is not alive"));
        }
        try {
            return new Answer(Optional.of(ask(name, ShardAddresses.of(map, server), traceId, most)), Optional.empty());
        } catch (FsException e) {
            return new Answer(Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
        }
    }

    private Kept ask(String name, ServerAddress address, long traceId, int most) throws FsException {
        List<RecentMessage> all = new ArrayList<>();
        long laterNanos = 0;
        long before = 0;
        do {
            RecentMessagesRequest body = RecentMessagesRequest.newBuilder()
                    .setTraceId(traceId)
                    .setBefore(before)
                    .build();
            long askedNanos = clock.monotonicNanos();
            RecentMessagesReply reply = DirectQuestion.ask(
                    transport,
                    name,
                    address,
                    Kind.RECENT_MESSAGES,
                    RequestHeader.newBuilder().setStep("timeline"),
                    body,
                    RecentMessagesReply.class,
                    TIMEOUT_MILLIS);
            Span question = new Span(askedNanos, clock.monotonicNanos());
            if (before == 0) {
                laterNanos = question.middle() - reply.getNowNanos();
            }
            reply.getMessagesList().forEach(each -> RecentMessage.decode(each).ifPresent(all::add));
            long next = reply.getNextBefore();
            if (next < 0 || (before != 0 && next >= before)) {
                throw new FsException(
                        FsError.BAD_MESSAGE,
                        name + " at " + address + " goes on before message " + next + ", which is not before "
                                + before);
            }
            before = next;
        } while (before != 0 && all.size() < most);
        return new Kept(name, all, laterNanos);
    }

    /** Maps each address in the cluster map to the name of its server. */
    private static Map<String, String> names(ClusterMap map) {
        Map<String, String> names = new HashMap<>();
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getPort() != 0) {
                names.put(new ServerAddress(server.getHost(), server.getPort()).toString(), name(server));
            }
        }
        return names;
    }

    private static String name(ClusterMap.Server server) {
        return server.getRole().name().toLowerCase(Locale.ROOT) + "-" + server.getId();
    }
}
