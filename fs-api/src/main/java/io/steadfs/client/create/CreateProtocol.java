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
 * One way to make a file: which servers are asked for what, and in which order. In every protocol the dirent comes last, so that a file
 * which others can see is complete. A create that fails leaves nothing for ever.
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
 * N is the number of columns, L the number of handles of a lease. Where datafiles are not made with the file, the first write into a column
 * makes its datafile. The counts hold once the directory's shard is known: each shard that the path walk passes on the way costs one
 * message more.
 */
public interface CreateProtocol {
    ConfigKey<Boolean> EAGER = ConfigKey.flag(
            "stead.layout.eager",
            false,
            "A unified create gives every column a leased datafile at once; false leaves that to the first write into the"
                    + " column. The other protocols always do.");

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

    /** @param random gives a number below its argument; called from any thread */
    static CreateProtocol named(ProtocolName name, boolean eager, IntUnaryOperator random) {
        return switch (name) {
            case UNIFIED -> new UnifiedCreate(eager);
            case BASECASE -> new BasecaseCreate(random);
            case COMPOUND -> new CompoundCreate(random);
            case LEASED -> new LeasedCreate(random);
            case PRECREATED -> new PrecreatedCreate(random);
            case DELEGATED -> new DelegatedCreate();
            case LAZY -> new LazyCreate();
            case ADAPTIVE -> throw new IllegalArgumentException(name + " is a choice among others");
        };
    }

    /** Makes the file. Messages are sent by the courier and calls of the {@link FileSpec}, which count them. */
    CompletableFuture<Made> create(FileSpec spec);

    /**
     * A file to be made.
     *
     * @param nearServer IO server near the writer, plus 1; 0 = none known
     * @param leased leased handles with datafiles
     * @param handlesOnly leased handles without datafiles
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
         * Columns of the file.
         *
         * @throws FsException if no file can have so many
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
     * A file that was made.
     *
     * @param info with its layout
     * @param session of its writer
     * @param hint of its directory, about how to make files there; empty where there is none
     */
    record Made(FileInfo info, Session session, String hint) {}
}
