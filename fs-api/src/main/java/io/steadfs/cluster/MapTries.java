package io.steadfs.cluster;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.rpc.ServerAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers the last error of each metadata server that was asked for the cluster map. If a caller gets no map, the
 * message of the caller's error contains the last errors of all servers. Not thread-safe.
 */
final class MapTries {
    private final List<ServerAddress> servers;
    private final Map<ServerAddress, FsException> failures = new LinkedHashMap<>();

    MapTries(List<ServerAddress> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Begins another round. Until a server has answered in the new round, its error from the previous round stays. */
    MapTries(List<ServerAddress> servers, MapTries before) {
        this(servers);
        failures.putAll(before.failures);
        failures.keySet().retainAll(servers);
    }

    void failed(ServerAddress server, FsException failure) {
        failures.put(server, failure);
    }

    /**
     * One error for all servers, whose message names each server with its answer. If a retry may help at one of the
     * servers, the result is an error after which clients retry. If no retry can help, the result is the error of the
     * server with which the client got furthest.
     */
    FsException failure() {
        FsException furthest = null;
        for (FsException failure : failures.values()) {
            if (furthest == null || rank(failure.error()) > rank(furthest.error())) {
                furthest = failure;
            }
        }
        FsError error = furthest == null || (furthest.error().outcomeUnknown() && !isFinal(furthest.error()))
                ? FsError.UNREACHABLE
                : furthest.error();
        return new FsException(error, words());
    }

    private String words() {
        StringBuilder all = new StringBuilder("no metadata server answers; tried ");
        String separator = "";
        for (ServerAddress server : servers) {
            FsException failure = failures.get(server);
            all.append(separator)
                    .append(server)
                    .append(" (")
                    .append(failure == null ? "no answer yet" : words(server, failure))
                    .append(')');
            separator = ", ";
        }
        return all.toString();
    }

    private static String words(ServerAddress server, FsException failure) {
        String words = failure.wordsAbout(server.toString());
        // If the client made the error, the text is only the error's words. If the server refused, the text also has
        // the name of the error.
        return failure.error().isSilence() ? words : failure.error() + ": " + words;
    }

    /** Whether another try soon after would give the same error. */
    static boolean isFinal(FsError error) {
        return error == FsError.UNKNOWN_HOST
                || error == FsError.NOT_STEADFS
                || error == FsError.WRONG_SERVER
                || (error.resolver() != Resolver.RETRY && error.resolver() != Resolver.REFRESH);
    }

    private static int rank(FsError error) {
        if (!isFinal(error)) {
            return error.isSilence() ? 3 : 4;
        }
        return switch (error) {
            case UNKNOWN_HOST -> 0;
            case NOT_STEADFS -> 1;
            default -> 2;
        };
    }
}
