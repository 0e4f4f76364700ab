package io.steadfs.cli.connect;

import io.steadfs.cli.counting.CounterReader;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.counting.MeteredTransport;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.recent.RecentMessages;

/** One client with a session and connections of its own, whose messages are counted. */
public final class Connection implements AutoCloseable {
    private final MeteredTransport transport;
    private final RecentMessages recent;
    private final SteadFs fs;

    Connection(MeteredTransport transport, RecentMessages recent, SteadFs fs) {
        this.transport = transport;
        this.recent = recent;
        this.fs = fs;
    }

    public SteadFs fs() {
        return fs;
    }

    /** The transport that counts this client's messages. */
    public MeteredTransport transport() {
        return transport;
    }

    /** The last messages that this client sent, with their times by the system's clock. */
    public RecentMessages recent() {
        return recent;
    }

    /** The counters of all servers now. */
    public Counters counters() throws FsException {
        return new CounterReader(transport, fs).read();
    }

    @Override
    public void close() {
        fs.close();
        transport.close();
    }
}
