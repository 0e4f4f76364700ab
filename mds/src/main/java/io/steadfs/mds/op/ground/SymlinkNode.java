package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;

/**
 * A symbolic link. Its dirent has all of it, so that it moves and goes with its name, and a walk that meets it reads
 * nothing more. Everybody may follow a link: the permissions of what it leads to decide.
 *
 * @param handle names the link, and nothing else
 */
public record SymlinkNode(Handle handle, SymlinkRow row) implements Described {
    private static final int MODE = 0777;
    private static final int VERSION = 1;

    /** The link that another shard has described. */
    public static SymlinkNode of(Attributes attributes) {
        return new SymlinkNode(
                new Handle(attributes.getHandle()),
                SymlinkRow.newBuilder()
                        .setTarget(attributes.getLinkTarget())
                        .setOwner(attributes.getOwner())
                        .setGroup(attributes.getGroup())
                        .setMadeMillis(attributes.getModificationTime())
                        .build());
    }

    @Override
    public int mode() {
        return MODE;
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
    public Attributes attributes(ReadView view, boolean wantLayout) {
        return attributes();
    }

    public Attributes attributes() {
        return Attributes.newBuilder()
                .setHandle(handle.value())
                .setType(FileType.SYMLINK)
                .setMode(MODE)
                .setOwner(row.getOwner())
                .setGroup(row.getGroup())
                .setModificationTime(row.getMadeMillis())
                .setAccessTime(row.getMadeMillis())
                .setVersion(VERSION)
                .setLinkTarget(row.getTarget())
                .build();
    }
}
