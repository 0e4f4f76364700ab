package io.steadfs.client.list;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListTreeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts values from the wire to values of the client. If a value makes no sense, the conversion fails with FAULT,
 * and the message names the value. So the rest of the client need not expect impossible values. A listing does not fail
 * because of an impossible value. Its entry stays in the listing without the value.
 */
public final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    /** Longest strip, in bytes, that a shard allows for a file. */
    static final int MOST_STRIP_BYTES = 1 << 30;

    static final long MOST_FILE_BYTES = Layout.MOST_COLUMNS * Striping.MOST_DATAFILE_BYTES;

    private Answers() {}

    public static FileInfo info(Attributes attributes) throws FsException {
        Handle handle = shardHandle(attributes.getHandle());
        long length = length(attributes);
        if (length < 0 || length > MOST_FILE_BYTES) {
            throw impossible(handle + " of " + Long.toUnsignedString(length) + " bytes");
        }
        return info(
                attributes,
                handle,
                length,
                attributes.hasLayout() ? Optional.of(layout(handle, attributes.getLayout())) : Optional.empty());
    }

    /**
     * Makes attributes to show for a listed entry whose attributes make no sense. The result has no layout. Without a
     * layout, an open asks the shard for the attributes again, and the error of the open says what is wrong. An
     * impossible length becomes 1. The length is not 0, so that programs do not silently skip the file as empty. The
     * length is not large either, so that programs do not split the file into countless pieces.
     */
    private static FileInfo possible(Attributes attributes) {
        Handle handle = new Handle(attributes.getHandle());
        boolean isPossible = Long.compareUnsigned(length(attributes), MOST_FILE_BYTES) <= 0;
        return info(
                attributes,
                handle.isOwnedByShard() ? handle : Handle.NONE,
                isPossible ? length(attributes) : 1,
                Optional.empty());
    }

    /** The length to show to the user. If a session is writing the file, the length includes flushed bytes. */
    private static long length(Attributes attributes) {
        boolean isMore = Long.compareUnsigned(attributes.getFlushedLength(), attributes.getLength()) > 0;
        return isMore ? attributes.getFlushedLength() : attributes.getLength();
    }

    private static FileInfo info(Attributes attributes, Handle handle, long length, Optional<Layout> layout) {
        return new FileInfo(
                handle,
                attributes.getType() == FileType.DIRECTORY,
                attributes.getMode(),
                attributes.getOwner(),
                attributes.getGroup(),
                length,
                Math.min(length, attributes.getLength()),
                attributes.getModificationTime(),
                attributes.getAccessTime(),
                attributes.getBlockSize(),
                Math.max(1, attributes.getReplication()),
                attributes.getOpen(),
                attributes.getWriteGeneration(),
                attributes.getVersion(),
                layout,
                attributes.getType() == FileType.SYMLINK ? Optional.of(attributes.getLinkTarget()) : Optional.empty());
    }

    private static FsException impossible(String answered) {
        return new FsException(FsError.FAULT, "the answer makes no sense: " + answered);
    }

    private static Handle shardHandle(long answered) throws FsException {
        Handle handle = new Handle(answered);
        if (!handle.isOwnedByShard()) {
            throw impossible(handle + " is the handle of no file or directory");
        }
        return handle;
    }

    /** Checks and returns the handle of a datafile that an IO server has made. */
    public static Handle datafile(long answered) throws FsException {
        Handle handle = new Handle(answered);
        if (!handle.isOwnedByIoServer()) {
            throw impossible(handle + " is the handle of no datafile");
        }
        return handle;
    }

    /** Checks and returns the length of a datafile, in bytes. */
    public static long length(DatafileState state) throws FsException {
        if (state.getLength() < 0 || state.getLength() > Striping.MOST_DATAFILE_BYTES) {
            throw impossible("datafile " + new Handle(state.getDatafile()) + " of "
                    + Long.toUnsignedString(state.getLength()) + " bytes");
        }
        return state.getLength();
    }

    static Layout layout(Handle file, io.steadfs.wire.proto.Layout layout) throws FsException {
        if (layout.getStripSize() > MOST_STRIP_BYTES || layout.getWidth() > Layout.MOST_COLUMNS) {
            throw impossible("layout of " + file + " has strips of " + layout.getStripSize() + " bytes in "
                    + layout.getWidth() + " columns");
        }
        for (int server : layout.getServersList()) {
            if (server < 1 || server >= Handle.FIRST_SHARD_OWNER) {
                throw impossible("layout of " + file + " names IO server " + Integer.toUnsignedString(server));
            }
        }
        List<Handle> datafiles = new ArrayList<>(layout.getDatafilesCount());
        for (long datafile : layout.getDatafilesList()) {
            datafiles.add(datafile == Handle.NONE.value() ? Handle.NONE : datafile(datafile));
        }
        try {
            return new Layout(
                    new Striping(layout.getStripSize(), layout.getWidth()),
                    layout.getReplicas(),
                    layout.getServersList(),
                    datafiles,
                    layout.getVersion());
        } catch (IllegalArgumentException e) {
            throw new FsException(
                    FsError.FAULT, "the answer makes no sense: layout of " + file + ": " + e.getMessage(), e);
        }
    }

    /** Converts one entry of a listing. If some attributes make no sense, the entry leaves those attributes out. */
    static Entry entry(io.steadfs.wire.proto.Entry entry) {
        try {
            return new Entry(entry.getName(), info(entry.getAttributes()));
        } catch (FsException e) {
            LOG.warn("the listing shows '{}' without its impossible attributes: {}", entry.getName(), e.getMessage());
            return new Entry(entry.getName(), possible(entry.getAttributes()));
        }
    }

    /**
     * Converts a page of a tree. The page has a separate list of the directories whose contents another shard lists.
     *
     * @param wantDirectories whether such directories are also entries of the page
     *
     * @param whole whether one entry that makes no sense fails the whole page
     */
    public static Page treePage(ListTreeReply reply, boolean wantDirectories, boolean whole) throws FsException {
        List<Entry> entries = new ArrayList<>(reply.getEntriesCount());
        List<Page.Elsewhere> elsewhere = new ArrayList<>();
        for (io.steadfs.wire.proto.Entry entry : reply.getEntriesList()) {
            if (entry.getElsewhere()) {
                Handle directory = shardHandle(entry.getAttributes().getHandle());
                elsewhere.add(new Page.Elsewhere(directory, entry.getStartToken(), entry.getName(), entry.getBelow()));
            }
            if (!entry.hasBelow() && (!entry.getElsewhere() || wantDirectories)) {
                entries.add(whole ? new Entry(entry.getName(), info(entry.getAttributes())) : entry(entry));
            }
        }
        return new Page(entries, elsewhere, reply.getCursor());
    }

    /** The entries of a page. The reply has the entries either packed into one byte string or as separate messages. */
    public static List<Entry> entries(ListReply reply) throws FsException {
        return reply.getPacked().isEmpty() ? entries(reply.getEntriesList()) : PackedEntries.decode(reply.getPacked());
    }

    private static List<Entry> entries(List<io.steadfs.wire.proto.Entry> entries) {
        List<Entry> converted = new ArrayList<>(entries.size());
        for (io.steadfs.wire.proto.Entry entry : entries) {
            converted.add(entry(entry));
        }
        return converted;
    }
}
