package io.steadfs.membership;

import io.steadfs.config.Settings;
import io.steadfs.hello.Welcome;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A metadata server or IO server that is part of the file system. Until the server is closed, it holds the lock of its
 * data directory.
 */
public abstract class JoinedServer implements AutoCloseable {
    private final DataDirectory directory;
    private final Membership membership;
    private final String rack;
    private final AcceptedLoss acceptedLoss;

    /**
     * Joins the file system. Checks that the directory belongs to this server.
     *
     * @param rack the server's rack; empty if unknown
     * @throws MembershipException if the server may not join, or cannot join at present
     */
    protected JoinedServer(ServerId server, Path directory, String rack, Allowed allowed, Settings settings)
            throws IOException {
        this.directory = DataDirectory.open(directory);
        this.rack = rack;
        this.acceptedLoss = allowed.acceptedLoss();
        try {
            this.membership = Membership.open(settings, server, this.directory, allowed.emptyDirectory());
        } catch (IOException | RuntimeException e) {
            this.directory.close();
            throw e;
        }
    }

    protected final Membership membership() {
        return membership;
    }

    /** Announces the server's address together with the server's rack, as {@link Membership#announce} does. */
    protected final void announceInRack(ServerAddress address, long capacityBytes, long freeBytes)
            throws MembershipException {
        membership.announce(address, rack, capacityBytes, freeBytes);
    }

    /** The losses of stores that the operator accepts. */
    public final AcceptedLoss acceptedLoss() {
        return acceptedLoss;
    }

    /** Identifies this server and its file system to other servers. Also holds the secret that the servers share. */
    public final Welcome welcome() {
        return membership.welcome();
    }

    /** The user who formatted the file system. */
    public final String superuser() {
        return membership.format().superuser();
    }

    /**
     * The problems because of which this server does not learn about changes of other servers. Each problem is one
     * line. May be called from any thread, and does not wait.
     */
    public final List<String> problems() {
        return membership.problems();
    }

    /** Leaves the file system. */
    @Override
    public final void close() {
        membership.close();
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("data directory " + directory + " was not released", e);
        }
    }
}
