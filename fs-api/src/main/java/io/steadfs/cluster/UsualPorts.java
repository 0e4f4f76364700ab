package io.steadfs.cluster;

/**
 * The default ports of servers, which configuration can change. A server's port follows from the server's number. So
 * several servers can run on one machine without configured ports. A server has the same port after every restart.
 *
 * <pre>
 * mds-1, mds-2, ...   7410, 7411, ...     /metrics  17410, 17411, ...
 * io-1, io-2, ...     7510, 7511, ...     /metrics  17510, 17511, ...
 * web interface       7480
 * ZooKeeper           7400                of a local cluster
 * </pre>
 */
public final class UsualPorts {
    /** Port of the metadata server with number 1. Also the port for a URI that names no port. */
    public static final int MDS = 7410;

    /** Port of the web interface. */
    public static final int WEB_UI = 7480;

    /** Port of the ZooKeeper inside a local cluster. */
    public static final int ZOOKEEPER = 7400;

    private static final int IO = 7510;
    private static final int METRICS_ABOVE = 10_000;
    private static final int MOST = 65_535;

    private UsualPorts() {}

    /**
     * Port of the metadata server with this number, from 1.
     *
     * @throws IllegalArgumentException naming the number if its port is not valid
     */
    public static int ofMds(int number) {
        return checked(MDS + number - 1, "mds-" + number);
    }

    /**
     * Port of the IO server with this number, from 1.
     *
     * @throws IllegalArgumentException naming the number if its port is not valid
     */
    public static int ofIo(int number) {
        return checked(IO + number - 1, "io-" + number);
    }

    /**
     * Port for {@code /metrics} of the server that has this usual port.
     *
     * @throws IllegalArgumentException naming the server's port if the port for {@code /metrics} is not valid
     */
    public static int metricsOf(int port) {
        return checked(port + METRICS_ABOVE, "metrics of the server at port " + port);
    }

    private static int checked(int port, String of) {
        if (port > MOST) {
            throw new IllegalArgumentException(of + " has no usual port: it would be " + port + ", and " + MOST
                    + " is the last one; configure one");
        }
        return port;
    }
}
