package io.steadfs.mds.op.layout;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.session.Claims;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The properties of a new file, without its name and its handle.
 *
 * @param width number of columns; 0 = the cluster's default
 * @param stripSize bytes of a strip; 0 = the cluster's default
 * @param blockSize bytes of a block; 0 = the cluster's default
 * @param replication number of copies that the request asks for; 0 = one copy
 * @param nearServer id of the IO server near the writer, plus 1; 0 = no such server is known
 * @param columns columns that have a datafile from the beginning
 */
public record NewFile(
        int mode,
        int width,
        int stripSize,
        long blockSize,
        int replication,
        int nearServer,
        List<AttachedColumn> columns) {
    /** The largest number of copies that a file may ask for, as in HDFS. */
    static final int MOST_REPLICATION = 512;

    private static final long FIRST_GENERATION = 1;

    public static NewFile of(CreateRequest request) throws Refused {
        return new NewFile(
                Permissions.checkMode(request.getMode()),
                request.getWidth(),
                request.getStripSize(),
                request.getBlockSize(),
                request.getReplication(),
                request.getNearServer(),
                request.getColumnsList());
    }

    public static NewFile of(CreateMetafileRequest request) throws Refused {
        return new NewFile(
                Permissions.checkMode(request.getMode()),
                request.getWidth(),
                request.getStripSize(),
                request.getBlockSize(),
                request.getReplication(),
                request.getNearServer(),
                request.getColumnsList());
    }

    /**
     * Converts a requested number of copies into the number that a row stores. One copy is stored as 0, which takes no
     * bytes.
     *
     * @throws Refused if more than {@value #MOST_REPLICATION} copies are requested
     */
    public static int copies(int replication) throws Refused {
        if (Integer.compareUnsigned(replication, MOST_REPLICATION) > 0) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    Integer.toUnsignedString(replication) + " copies, at most " + MOST_REPLICATION
                            + " can be asked for");
        }
        return replication == 1 ? 0 : replication;
    }

    /** The same properties with more columns that have a datafile. */
    public NewFile with(List<AttachedColumn> more) {
        List<AttachedColumn> all = new ArrayList<>(columns);
        all.addAll(more);
        return new NewFile(mode, width, stripSize, blockSize, replication, nearServer, all);
    }

    /**
     * The row of the new file. If the file has no datafiles, the row says that the file is closed and untouched, and the
     * caller's session may claim it. Otherwise the caller's session is the file's writer: it may write to a datafile
     * that the row lists, and so bytes may have to be recovered. The session is also the writer if it has many claims
     * already, because claims are kept in the heap.
     */
    public MetafileRow row(Handle handle, String group, Context context) throws Refused {
        long size = blockSize != 0 ? blockSize : context.inputs().cluster().getBlockSize();
        if (size < 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "block size " + Long.toUnsignedString(size) + " is above 2^63");
        }
        long session = context.principal().session();
        LayoutRow layout = LayoutChoice.choose(this, context.inputs().cluster(), handle.sequence());
        boolean isClaimed = layout.getDatafilesList().stream().allMatch(datafile -> datafile == 0)
                && Claims.count(context.view(), session) < Claims.MOST;
        return MetafileRow.newBuilder()
                .setMode(mode)
                .setOwner(context.principal().user())
                .setGroup(group)
                .setModificationTime(context.now())
                .setAccessTime(context.now())
                .setBlockSize(size)
                .setReplication(copies(replication))
                .setVersion(1)
                .setLayout(layout)
                .setUntouchedSession(isClaimed ? session : 0)
                .setWriterSession(isClaimed ? 0 : session)
                .setWriteGeneration(FIRST_GENERATION)
                .build();
    }
}
