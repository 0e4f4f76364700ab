package io.steadfs.it.simulation;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import java.util.concurrent.CompletableFuture;

/** What lies between a process and the network, with a crash point before and after each message. */
final class Seams {
    private final SimulatedProcess process;
    private final CrashPoints points;

    Seams(SimulatedProcess process, CrashPoints points) {
        this.process = process;
        this.points = points;
    }

    private boolean pass(String what, Request request, String when) {
        return points.pass(process, process.role() + ' ' + what + ' ' + request.kind() + ' ' + when);
    }

    /** Way out of the process. */
    Transport transport(Transport network) {
        return new Transport() {
            @Override
            public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
                if (!pass("sends", request, "before")) {
                    request.payload().release();
                    return new CompletableFuture<>();
                }
                CompletableFuture<Reply> sent = network.send(server, request, timeoutMillis);
                CompletableFuture<Reply> heard = new CompletableFuture<>() {
                    @Override
                    public boolean cancel(boolean mayInterruptIfRunning) {
                        sent.cancel(mayInterruptIfRunning);
                        return super.cancel(mayInterruptIfRunning);
                    }
                };
                if (pass("sends", request, "after")) {
                    var unused = sent.whenComplete((reply, failure) -> process.run(() -> {
                        if (reply != null && pass("hears", request, "before")) {
                            // Now, or when it goes on.
                            process.run(() -> {
                                if (!heard.complete(reply)) {
                                    reply.payload().release();
                                }
                                pass("hears", request, "after");
                            });
                        }
                    }));
                }
                return heard;
            }

            @Override
            public void close() {
                network.close();
            }
        };
    }

    /** Way into the process. */
    RequestHandler door(RequestHandler inner) {
        return call -> process.run(() -> {
            if (pass("receives", call.request(), "before")) {
                process.run(() -> {
                    inner.handle(new Gated(call));
                    pass("receives", call.request(), "after");
                });
            }
        });
    }

    private final class Gated implements RequestHandler.Call {
        private final RequestHandler.Call call;

        Gated(RequestHandler.Call call) {
            this.call = call;
        }

        @Override
        public Request request() {
            return call.request();
        }

        @Override
        public String peer() {
            return call.peer();
        }

        @Override
        public boolean isCancelled() {
            return call.isCancelled();
        }

        @Override
        public void reply(Reply reply) {
            if (pass("answers", call.request(), "before")) {
                call.reply(reply);
                pass("answers", call.request(), "after");
            } else {
                reply.payload().release();
            }
        }
    }
}
