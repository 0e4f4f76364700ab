package io.steadfs.cli.process;

import io.steadfs.config.ConfigKeys;
import io.steadfs.ioserver.IoKeys;
import io.steadfs.mds.MdsKeys;
import io.steadfs.membership.EnsembleMember;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.Membership;
import io.steadfs.metrics.MetricsServer;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.store.rocks.RocksStore;

/** Lists the configuration keys that each kind of server process understands. */
public final class ServerKeys {
    private static final ConfigKeys COMMON = Listening.KEYS
            .and(Membership.KEYS)
            .and(NettyOptions.KEYS)
            .and(RocksStore.KEYS)
            .and(MetricsServer.KEYS);

    /** The keys of {@code stead mds}. */
    public static final ConfigKeys MDS = COMMON.and(MdsKeys.KEYS);

    /** The keys of {@code stead ioserver}. */
    public static final ConfigKeys IO = COMMON.and(IoKeys.KEYS);

    /** The keys of {@code stead format}. */
    public static final ConfigKeys FORMAT = Membership.KEYS.and(FileSystemFormat.KEYS);

    /** The keys of {@code stead zookeeper}. */
    public static final ConfigKeys ZOOKEEPER = EnsembleMember.KEYS;

    /**
     * The keys of {@code stead local}. This command needs the keys of all server processes and of {@code stead format}.
     */
    public static final ConfigKeys LOCAL = MDS.and(IO).and(FORMAT).and(ZOOKEEPER);

    private ServerKeys() {}
}
