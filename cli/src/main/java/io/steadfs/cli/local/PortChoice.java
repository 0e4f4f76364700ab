package io.steadfs.cli.local;

import io.steadfs.cluster.UsualPorts;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ServerPort;

/**
 * The ports of a local cluster that has none from an earlier start.
 *
 * @param base port of the first metadata server; the other ports have the same distances from it as in {@link UsualPorts}. 0 = any free
 *     ones
 * @param first port to which the first metadata server moves from its last one; 0 = it does not move
 */
public record PortChoice(int base, int first) {
    /** Any free ports, and those of earlier starts if they are still free. */
    public static final PortChoice ANY = new PortChoice(0, 0);

    /** The ports of {@link UsualPorts}, always the same ones: a port that is taken stops the start. */
    public static final PortChoice USUAL = new PortChoice(UsualPorts.MDS, 0);

    /** Does the same as {@link #USUAL}, from another port on; 0 for {@link #ANY}. */
    public static PortChoice from(int port) {
        return new PortChoice(port, port);
    }

    /** Does the same as {@link #ANY}, except for the first metadata server. */
    public static PortChoice firstAt(int port) {
        return new PortChoice(0, port);
    }

    /** Whether a port that is taken is replaced by a free one. */
    boolean yields() {
        return base == 0;
    }

    /** The port; 0 for any. */
    int of(ServerId server) {
        return shifted(ServerPort.usual(server));
    }

    /** The port; 0 for any. */
    int metricsOf(ServerId server) {
        return shifted(UsualPorts.metricsOf(ServerPort.usual(server)));
    }

    /** The port; 0 for any. */
    int zooKeeper() {
        return shifted(UsualPorts.ZOOKEEPER);
    }

    /** The port; 0 for any. */
    int webUi() {
        return shifted(UsualPorts.WEB_UI);
    }

    private int shifted(int usual) {
        int port = usual - UsualPorts.MDS + base;
        return base == 0 || port < 1 || port > 65_535 ? 0 : port;
    }
}
