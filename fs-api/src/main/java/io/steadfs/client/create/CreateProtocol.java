package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Session;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.write.RecordedCalls;
import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.layout.Layout;
import io.steadfs.layout.ProtocolName;
import io.steadfs.path.FsPath;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * Makes a file by requests to servers in a certain order. Every protocol makes the dirent last, so that only complete
 * files are visible. If a create fails, the client or the servers sooner or later remove everything that the create
 * made.
 *
 * <pre>
 *  protocol    steps                                                       messages
 *  ----------  ----------------------------------------------------------  --------
 *  unified     metafile and dirent together, on the directory's shard      1
 *    eager     the same with leased datafiles                              1 + N/L
 *  basecase    metafile; N datafiles at once; attributes; dirent           N + 3
 *  compound    N datafiles at once; metafile with them; dirent             N + 2
 *  leased      N leased handles reserved beside metafile with them; dirent N + 2
 *  precreated  metafile with leased datafiles; dirent                      2 + N/L
 *  delegated   as unified, eager, with datafiles that the shard leased     1
 *  lazy        as unified, eager, with handles whose datafiles their first
 *              writes make                                                 1 + N/L
 * </pre>
 *
 * N is the number of columns, and L is the number of handles in a lease. If a create makes no datafiles, the first
 * write into each column makes that column's datafile. The counts hold if the client sends the create straight to the
 * directory's shard. Each other shard that the path walk passes costs one more message.
 */
public interface CreateProtocol {
    ConfigKey<Boolean> EAGER = ConfigKey.flag(
            "stead.layout.eager",
            false,
            "Whether a unified create gives every column a leased datafile at once; if false, the first write into a"
                    + " column makes its datafile. The other protocols always give every column a datafile at once.");

    ConfigKey<ProtocolName> KEY = new ConfigKey<>(
            "stead.create.protocol",
            ProtocolName.UNIFIED.toString(),
            "",
            "How files are made: unified, one message to the shard of the directory; or, with a metafile on a random shard"
                    + " and the name last: basecase, with a datafile for each column; compound, with the datafiles first;"
                    + " leased, with datafiles whose handles are leased in advance; precreated, with datafiles that are"
                    + " leased in advance. delegated and lazy are one message again: with datafiles that the shard"
                    + " leased, and with leased handles whose datafiles are made by first writes. adaptive: whichever of"
                    + " unified and delegated suits the rate of creates.",
            ProtocolName::parse);

    /** @param random returns a random number from 0 up to, but not including, its argument; called on any thread */
    static CreateProtocol named(ProtocolName name, boolean eager, IntUnaryOperator random) {
        return switch (name) {
            case UNIFIED -> new UnifiedCreate(eager);
            case BASECASE -> new BasecaseCreate(random);
            case COMPOUND -> new CompoundCreate(random);
            case LEASED -> new LeasedCreate(random);
            case PRECREATED -> new PrecreatedCreate(random);
            case DELEGATED -> new DelegatedCreate();
            case LAZY -> new LazyCreate();
            case ADAPTIVE -> throw new IllegalArgumentException(name + " chooses among the other protocols");
        };
    }

    /**
     * Makes the file. All messages go through the courier and the recorded calls of the {@link FileSpec}, because these
     * two count messages.
     */
    CompletableFuture<Made> create(FileSpec spec);

    /**
     * What a protocol needs to make one file.
     *
     * @param nearServer id of an IO server near the writer, plus 1; 0 = no such server is known
     * @param leased leased handles whose datafiles exist already
     * @param handlesOnly leased handles whose datafiles do not exist yet
     */
    record FileSpec(
            Operation operation,
            FsPath path,
            CreateOptions options,
            int nearServer,
            ClusterView cluster,
            Courier courier,
            RecordedCalls recorded,
            LeasedHandles leased,
            LeasedHandles handlesOnly) {
        /**
         * Number of columns of the file.
         *
         * @throws FsException with INVALID_ARGUMENT if the number of columns is negative or more than a file can have
         */
        int width() throws FsException {
            if (options.width() < 0 || options.width() > Layout.MOST_COLUMNS) {
                throw new FsException(
                        FsError.INVALID_ARGUMENT,
                        path + ": width " + options.width() + " is not in 1.." + Layout.MOST_COLUMNS);
            }
            int servers = cluster.aliveIoServers().size();
            return options.width() != 0
                    ? options.width()
                    : Math.max(1, Math.min(cluster.map().getWidth(), servers));
        }
    }

    /**
     * A new file, as the protocol's replies describe it.
     *
     * @param info the file's attributes and layout
     * @param session session of the file's writer
     * @param hint hint of the file's directory that names a create protocol; empty if the directory has none
     */
    record Made(FileInfo info, Session session, String hint) {}
}
