package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Layout;

/** A file. */
public record FileNode(Handle handle, MetafileRow row) implements Node {
    @Override
    public int mode() {
        return row.getMode();
    }

    @Override
    public String owner() {
        return row.getOwner();
    }

    @Override
    public String group() {
        return row.getGroup();
    }

    @Override
    public long version() {
        return row.getVersion();
    }

    @Override
    public int xattrs() {
        return row.getXattrs();
    }

    @Override
    public LogRecord withXattrs(int count) {
        return new MetafileSet(handle, row.toBuilder().setXattrs(count).build());
    }

    @Override
    public Attributes attributes(ReadView view, boolean wantLayout) {
        Attributes attributes = attributes(wantLayout);
        return isClaimed(view) ? attributes.toBuilder().setOpen(true).build() : attributes;
    }

    /** Whether the file is open by a claim, which no row of this shard's store has. */
    public boolean isClaimed(ReadView view) {
        return row.getUntouchedSession() != 0 && FileWriter.isOpen(view, handle, row);
    }

    /** The attributes as the row alone says: a file that is only claimed is told as closed. */
    public Attributes attributes(boolean wantLayout) {
        Attributes.Builder attributes = Attributes.newBuilder()
                .setHandle(handle.value())
                .setType(FileType.FILE)
                .setMode(row.getMode())
                .setOwner(row.getOwner())
                .setGroup(row.getGroup())
                .setLength(row.getLength())
                .setModificationTime(row.getModificationTime())
                .setAccessTime(row.getAccessTime())
                .setBlockSize(row.getBlockSize())
                .setReplication(row.getReplication())
                .setOpen(Metafiles.isOpen(row))
                .setRecovering(row.getRecovering())
                .setWriteGeneration(row.getWriteGeneration())
                .setVersion(row.getVersion());
        long told = Metafiles.toldLength(row);
        if (told > row.getLength()) {
            attributes.setFlushedLength(told);
        }
        if (wantLayout) {
            attributes.setLayout(layout(row.getLayout()));
        }
        return attributes.build();
    }

    /** Converts a stored layout to the form of a message. */
    public static Layout layout(LayoutRow row) {
        return Layout.newBuilder()
                .setStripSize(row.getStripSize())
                .setWidth(row.getWidth())
                .setReplicas(row.getReplicas())
                .addAllServers(row.getServersList())
                .addAllDatafiles(row.getDatafilesList())
                .setVersion(row.getVersion())
                .build();
    }
}
