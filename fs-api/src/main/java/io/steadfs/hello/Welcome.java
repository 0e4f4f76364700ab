package io.steadfs.hello;

import java.util.function.Supplier;

/**
 * What a server says to a process that opens a connection to it, and what it asks of other servers.
 *
 * @param self which server of which file system it is
 * @param secret as it is now
 */
public record Welcome(PeerName self, Supplier<ClusterSecret> secret) {
    public Welcome {
        if (!self.isOneServer() || self.fileSystem().isEmpty()) {
            throw new IllegalArgumentException("a server knows which one it is: " + self);
        }
    }

    /** How this server introduces itself when it opens connections to others. */
    public Introduction introduction() {
        return Introduction.server(self, secret);
    }
}
