package io.steadfs.hadoop;

import io.steadfs.client.AttributeChange;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.jspecify.annotations.Nullable;

/** Changes and returns the attributes and extended attributes of files and directories. */
abstract class AttributeFileSystem extends MountedFileSystem {
    AttributeFileSystem(Connector connector) {
        super(connector);
    }

    AttributeFileSystem(URI uri, Mount mount) {
        super(uri, mount);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        setAttributes(StoreStatisticNames.OP_SET_PERMISSION, path, AttributeChange.mode(Modes.of(permission)));
    }

    @Override
    public void setOwner(Path path, @Nullable String user, @Nullable String group) throws IOException {
        if (user == null && group == null) {
            throw new IOException("neither a user nor a group is given for " + absolute(path));
        }
        setAttributes(
                StoreStatisticNames.OP_SET_OWNER,
                path,
                AttributeChange.owner(Optional.ofNullable(user), Optional.ofNullable(group)));
    }

    /**
     * Sets the times of a file or directory, in milliseconds since 1970. A negative time leaves the attribute as it is.
     */
    @Override
    public void setTimes(Path path, long modificationTime, long accessTime) throws IOException {
        setAttributes(
                StoreStatisticNames.OP_SET_TIMES,
                path,
                AttributeChange.times(time(modificationTime), time(accessTime)));
    }

    private static OptionalLong time(long millis) {
        return millis < 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    private void setAttributes(String operation, Path path, AttributeChange change) throws IOException {
        mount().change(
                        operation,
                        absolute(path),
                        Purpose.LOOK_UP,
                        (client, target) -> client.setAttributes(target, change));
    }

    /**
     * Stores the wanted number of copies as an attribute of the file. SteadFS keeps one copy of each file, whatever the
     * number is.
     */
    @Override
    public boolean setReplication(Path path, short replication) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        Replication.check(file, replication);
        return mount.isShortEnough(file)
                && mount.change(
                        "op_set_replication",
                        file,
                        Purpose.LOOK_UP,
                        (client, target) -> Replication.set(client, target, replication));
    }

    @Override
    public void setXAttr(Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        Mount mount = mount();
        AbsolutePath object = absolute(path);
        String known = XattrNames.of(name);
        byte[] bytes = value == null ? new byte[0] : value;
        mount.change("op_xattr_set", object, Purpose.LOOK_UP, (client, target) -> {
            boolean create = flags.contains(XAttrSetFlag.CREATE);
            client.setXattr(target, known, bytes, create, flags.contains(XAttrSetFlag.REPLACE));
            return known;
        });
    }

    @Override
    public byte @Nullable [] getXAttr(Path path, String name) throws IOException {
        return getXAttrs(path, List.of(name)).get(XattrNames.of(name));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return getXAttrs(path, List.of());
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        Mount mount = mount();
        AbsolutePath object = absolute(path);
        List<String> known = names.stream().map(XattrNames::of).toList();
        return mount.read(
                StoreStatisticNames.OP_XATTR_GET_MAP, object, (client, target) -> client.getXattrs(target, known));
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return new ArrayList<>(getXAttrs(path).keySet());
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        Mount mount = mount();
        AbsolutePath object = absolute(path);
        String known = XattrNames.of(name);
        mount.change("op_xattr_remove", object, Purpose.LOOK_UP, (client, target) -> {
            client.removeXattr(target, known);
            return known;
        });
    }
}
