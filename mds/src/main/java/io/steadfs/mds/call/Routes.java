package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.wire.Kind;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Says how each kind of request is answered. The table is filled once, when the server starts. A kind is in the table
 * at most once.
 *
 * <pre>
 *  write   queued, decided by an Operation
 *  read    answered by a Query at once, on the transport's thread
 *  scan    answered by a Query that may take long, by the pool for those
 * </pre>
 */
public final class Routes {
    private final EnumMap<Kind, Route> routes = new EnumMap<>(Kind.class);

    /**
     * A way to answer a request. When the route is made, the types of its parts are checked against the kind of
     * request.
     */
    sealed interface Route {
        /** The request is queued. A precheck, if there is one, runs first, in the thread pool for long reads. */
        record Write(Operation<MessageLite> operation, Optional<Precheck<MessageLite>> precheck) implements Route {}

        /** The request is answered beside the writer. */
        record Read(Query<MessageLite> query, boolean isLong) implements Route {}
    }

    public <Q extends MessageLite> Routes write(Kind kind, Class<Q> type, Operation<Q> operation) {
        return add(kind, type, new Route.Write(uncheckedOperation(operation), Optional.empty()));
    }

    public <Q extends MessageLite> Routes write(
            Kind kind, Class<Q> type, Operation<Q> operation, Precheck<Q> precheck) {
        return add(
                kind, type, new Route.Write(uncheckedOperation(operation), Optional.of(uncheckedPrecheck(precheck))));
    }

    public <Q extends MessageLite> Routes read(Kind kind, Class<Q> type, Query<Q> query) {
        return add(kind, type, new Route.Read(uncheckedQuery(query), false));
    }

    public <Q extends MessageLite> Routes scan(Kind kind, Class<Q> type, Query<Q> query) {
        return add(kind, type, new Route.Read(uncheckedQuery(query), true));
    }

    /**
     * Returns this table after checking that every kind for metadata servers has a route.
     *
     * @throws IllegalArgumentException if kinds for metadata servers have no route; the message names the kinds
     */
    public Routes complete() {
        EnumSet<Kind> missing = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            boolean isForShards = switch (kind.target()) {
                case MDS_READ, MDS_WRITE, MDS_RECORDED -> true;
                case ANY, MDS, IO -> false;
            };
            if (isForShards && !routes.containsKey(kind)) {
                missing.add(kind);
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("kinds without a route: " + missing);
        }
        return this;
    }

    Optional<Route> of(Kind kind) {
        return Optional.ofNullable(routes.get(kind));
    }

    private Routes add(Kind kind, Class<?> type, Route route) {
        if (kind.requestType() != type) {
            throw new IllegalArgumentException(kind + " carries " + kind.requestType() + ", not " + type);
        }
        boolean writes = kind.target() == Kind.Target.MDS_WRITE || kind.target() == Kind.Target.MDS_RECORDED;
        if (writes != route instanceof Route.Write) {
            throw new IllegalArgumentException(kind + " with target " + kind.target() + " cannot go by " + route);
        }
        if (routes.put(kind, route) != null) {
            throw new IllegalArgumentException(kind + " has two routes");
        }
        return this;
    }

    @SuppressWarnings("unchecked")
    private static Operation<MessageLite> uncheckedOperation(Operation<?> operation) {
        return (Operation<MessageLite>) operation;
    }

    @SuppressWarnings("unchecked")
    private static Query<MessageLite> uncheckedQuery(Query<?> query) {
        return (Query<MessageLite>) query;
    }

    @SuppressWarnings("unchecked")
    private static Precheck<MessageLite> uncheckedPrecheck(Precheck<?> precheck) {
        return (Precheck<MessageLite>) precheck;
    }
}
