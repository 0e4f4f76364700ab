package io.steadfs.cluster;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.rpc.ServerAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last answer of each metadata server that was asked for a first cluster map. It goes into the error of a caller that gets no map. Not
 * thread-safe.
 */
final class MapTries {
    private final List<ServerAddress> servers;
    private final Map<ServerAddress, FsException> failures = new LinkedHashMap<>();

    MapTries(List<ServerAddress> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Another round. A server that has not answered in it keeps its answer of the round before. */
    MapTries(List<ServerAddress> servers, MapTries before) {
        this(servers);
        failures.putAll(before.failures);
        failures.keySet().retainAll(servers);
    }

    void failed(ServerAddress server, FsException failure) {
        failures.put(server, failure);
    }

    /**
     * One error for all servers. Its message names each server with its answer. If a retry may settle any server's error, it may settle
     * this one. Otherwise it is the error of the server that came furthest.
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
        // An error that the client found is told in words alone. A server's refusal is told with its error name too.
        return failure.error().isSilence() ? words : failure.error() + ": " + words;
    }

    /** Whether asking again soon would change nothing. */
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
