package io.steadfs.cli.connect;

import io.steadfs.cli.counting.CounterReader;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.counting.MeteredTransport;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.recent.RecentMessages;

/** One client that has its own session and its own network connections. The messages of the client are counted. */
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

    /** The last messages that this client sent. The times of the messages are times of the system's clock. */
    public RecentMessages recent() {
        return recent;
    }

    /** Reads the present counters of all servers. */
    public Counters counters() throws FsException {
        return new CounterReader(transport, fs).read();
    }

    @Override
    public void close() {
        fs.close();
        transport.close();
    }
}
