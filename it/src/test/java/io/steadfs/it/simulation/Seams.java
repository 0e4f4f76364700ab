package io.steadfs.it.simulation;

import io.steadfs.rpc.ForwardedCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What lies between a process and the network, with a crash point before and after each message. */
final class Seams {
    private final SimulatedProcess process;
    private final CrashPoints points;

    /** What a process does with a message. */
    private enum Doing {
        SENDS,
        HEARS,
        RECEIVES,
        ANSWERS
    }

    /** Names of places, before and after; each is needed very often. */
    private final Map<Doing, Map<Kind, String[]>> names = new EnumMap<>(Doing.class);

    Seams(SimulatedProcess process, CrashPoints points) {
        this.process = process;
        this.points = points;
    }

    private boolean before(Doing doing, Request request) {
        return points.pass(process, names(doing, request)[0]);
    }

    private boolean after(Doing doing, Request request) {
        return points.pass(process, names(doing, request)[1]);
    }

    private String[] names(Doing doing, Request request) {
        return names.computeIfAbsent(doing, unused -> new EnumMap<>(Kind.class))
                .computeIfAbsent(request.kind(), kind -> {
                    String name = process.role() + ' ' + doing.name().toLowerCase(Locale.ROOT) + ' ' + kind;
                    return new String[] {name + " before", name + " after"};
                });
    }

    /** Way out of the process. */
    Transport transport(Transport network) {
        return new Transport() {
            @Override
            public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
                if (!before(Doing.SENDS, request)) {
                    request.payload().release();
                    return new CompletableFuture<>();
                }
                Heard heard = new Heard(request);
                long lateMillis = points.lateMillis(process, names(Doing.SENDS, request)[0]);
                if (lateMillis == 0) {
                    heard.send(network, server, timeoutMillis);
                } else {
                    process.after(lateMillis, () -> heard.send(network, server, timeoutMillis));
                }
                return heard;
            }

            @Override
            public void close() {
                network.close();
            }
        };
    }

    /** An answer to come, as the process hears it. */
    private final class Heard extends CompletableFuture<Reply> {
        private final Request request;
        private Optional<CompletableFuture<Reply>> sent = Optional.empty();

        Heard(Request request) {
            this.request = request;
        }

        void send(Transport network, ServerAddress server, long timeoutMillis) {
            if (isDone()) {
                request.payload().release();
                return;
            }
            CompletableFuture<Reply> answer = network.send(server, request, timeoutMillis);
            sent = Optional.of(answer);
            if (after(Doing.SENDS, request)) {
                var unused = answer.whenComplete((reply, failure) -> process.run(() -> {
                    if (reply != null && before(Doing.HEARS, request)) {
                        // Now, or when it goes on.
                        process.run(() -> {
                            if (!complete(reply)) {
                                reply.payload().release();
                            }
                            after(Doing.HEARS, request);
                        });
                    }
                }));
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            sent.ifPresent(answer -> answer.cancel(mayInterruptIfRunning));
            return super.cancel(mayInterruptIfRunning);
        }
    }

    /** Way into the process. */
    RequestHandler door(RequestHandler inner) {
        return call -> process.run(() -> {
            if (before(Doing.RECEIVES, call.request())) {
                process.run(() -> {
                    inner.handle(new ForwardedCall(call, reply -> answer(call, reply)));
                    after(Doing.RECEIVES, call.request());
                });
            }
        });
    }

    private void answer(RequestHandler.Call call, Reply reply) {
        if (before(Doing.ANSWERS, call.request())) {
            call.reply(reply);
            after(Doing.ANSWERS, call.request());
        } else {
            reply.payload().release();
        }
    }
}
