package io.steadfs.cli.local;

import io.steadfs.cluster.UsualPorts;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ServerPort;

/**
 * Says which ports a local cluster uses.
 *
 * @param base port of the first metadata server if the cluster has no ports from an earlier start. The other ports have
 * the same distances from {@code base} as in {@link UsualPorts}. 0 = any free ports.
 * @param first port to which the first metadata server moves from its last port; 0 = the server does not move
 */
public record PortChoice(int base, int first) {
    /**
     * Chooses the port of an earlier start for each server. If that port is no longer free, a server gets any free
     * port.
     */
    public static final PortChoice ANY = new PortChoice(0, 0);

    /** Always chooses the ports of {@link UsualPorts}. If such a port is in use, the cluster does not start. */
    public static final PortChoice USUAL = new PortChoice(UsualPorts.MDS, 0);

    /**
     * Chooses ports as {@link #USUAL} does, but {@code port} replaces the port of the first metadata server. If
     * {@code port} is 0, the choice is {@link #ANY}.
     */
    public static PortChoice from(int port) {
        return new PortChoice(port, port);
    }

    /** Chooses ports as {@link #ANY} does, but the first metadata server gets {@code port}. */
    public static PortChoice firstAt(int port) {
        return new PortChoice(0, port);
    }

    /** Whether the cluster may replace a port that is in use by a free port. */
    boolean yields() {
        return base == 0;
    }

    /** The port of the server; 0 = any free port. */
    int of(ServerId server) {
        return shifted(ServerPort.usual(server));
    }

    /** The port of the server's metrics; 0 = any free port. */
    int metricsOf(ServerId server) {
        return shifted(UsualPorts.metricsOf(ServerPort.usual(server)));
    }

    /** The port of ZooKeeper; 0 = any free port. */
    int zooKeeper() {
        return shifted(UsualPorts.ZOOKEEPER);
    }

    /** The port of the web interface; 0 = any free port. */
    int webUi() {
        return shifted(UsualPorts.WEB_UI);
    }

    private int shifted(int usual) {
        int port = usual - UsualPorts.MDS + base;
        return base == 0 || port < 1 || port > 65_535 ? 0 : port;
    }
}
