package io.steadfs.client.call;

import io.steadfs.rpc.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who answered a request, for messages to people.
 *
 * @param destination whom the request was for; null = no server was asked
 * @param server the server that was asked; null = none was found
 */
public record Answerer(
        @Nullable Destination destination, @Nullable ServerAddress server) {
    /** No server was asked, and none was looked for. */
    static final Answerer NOBODY = new Answerer(null, null);

    /** The request was for this destination, but was sent to no server. */
    static Answerer unasked(Destination destination) {
        return new Answerer(destination, null);
    }

    boolean isNobody() {
        return destination == null;
    }

    @Override
    public String toString() {
        if (destination == null) {
            return "";
        }
        return server == null ? destination.toString() : destination + " at " + server;
    }
}
