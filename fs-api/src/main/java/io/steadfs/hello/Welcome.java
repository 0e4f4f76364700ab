package io.steadfs.hello;

import java.util.function.Supplier;

/**
 * What a server needs to answer the HELLO of processes that open connections.
 *
 * @param self name of this server and of its file system
 * @param secret gives the present cluster secret
 */
public record Welcome(PeerName self, Supplier<ClusterSecret> secret) {
    public Welcome {
        if (!self.isOneServer() || self.fileSystem().isEmpty()) {
            throw new IllegalArgumentException("a server must know its own number and file system: " + self);
        }
    }

    /** How this server introduces itself when it opens connections to others. */
    public Introduction introduction() {
        return Introduction.server(self, secret);
    }
}
