package io.steadfs.mds.op.ground;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.path.FsPath;
import java.util.List;

/**
 * Limits for new objects in the namespace. A limit that is lowered later does not change existing objects.
 *
 * @param nameBytes most bytes of one name; at most {@link FsPath#MAX_NAME_BYTES}
 * @param pathNames most names of a path; at most {@link FsPath#MAX_DEPTH}
 * @param xattrNameBytes most bytes of the name of an extended attribute, including its namespace
 * @param xattrValueBytes most bytes of the value of an extended attribute
 * @param xattrs most extended attributes of one object
 * @param leastBlockBytes smallest block size that a new file may ask for, in bytes
 */
public record NamespaceLimits(
        int nameBytes, int pathNames, int xattrNameBytes, int xattrValueBytes, int xattrs, long leastBlockBytes) {
    /**
     * Greatest configurable number of extended attributes of one object. The same limit applies to the names in one
     * request.
     */
    public static final int MOST_XATTRS = 1024;

    static final ConfigKey<Long> NAME_BYTES = ConfigKey.number(
            "stead.mds.name.bytes",
            FsPath.MAX_NAME_BYTES,
            1,
            FsPath.MAX_NAME_BYTES,
            "bytes",
            "Longest name of a path under which something is made or moved; longer ones are refused with NAME_TOO_LONG.");
    static final ConfigKey<Long> PATH_NAMES = ConfigKey.number(
            "stead.mds.path.names",
            FsPath.MAX_DEPTH,
            1,
            FsPath.MAX_DEPTH,
            "",
            "Most names of a path under which something is made or moved; longer ones are refused with NAME_TOO_LONG.");
    static final ConfigKey<Long> XATTR_NAME_BYTES = ConfigKey.number(
            "stead.mds.xattr.name.bytes",
            XattrName.MAX_BYTES,
            6,
            XattrName.MAX_BYTES,
            "bytes",
            "Longest name of an extended attribute that is set; longer ones are refused with NAME_TOO_LONG.");
    static final ConfigKey<Long> XATTR_VALUE_BYTES = ConfigKey.number(
            "stead.mds.xattr.value.bytes",
            64 << 10,
            0,
            1 << 20,
            "bytes",
            "Longest value of an extended attribute that is set; longer ones are refused with TOO_LARGE.");
    static final ConfigKey<Long> XATTRS = ConfigKey.number(
            "stead.mds.xattrs",
            256,
            0,
            MOST_XATTRS,
            "",
            "Most extended attributes of a file or directory; further ones are refused with TOO_LARGE.");

    public static final ConfigKey<Long> LEAST_BLOCK_BYTES = ConfigKey.number(
            "stead.mds.block.size.min",
            1 << 20,
            1,
            1L << 40,
            "bytes",
            "Least block size that a new file may ask for; smaller ones are refused. A program that splits the file"
                    + " gets a list with one entry for each block.");

    public static final ConfigKeys KEYS = new ConfigKeys(
            List.of(NAME_BYTES, PATH_NAMES, XATTR_NAME_BYTES, XATTR_VALUE_BYTES, XATTRS, LEAST_BLOCK_BYTES));

    public static NamespaceLimits from(Settings settings) {
        return new NamespaceLimits(
                settings.get(NAME_BYTES).intValue(),
                settings.get(PATH_NAMES).intValue(),
                settings.get(XATTR_NAME_BYTES).intValue(),
                settings.get(XATTR_VALUE_BYTES).intValue(),
                settings.get(XATTRS).intValue(),
                settings.get(LEAST_BLOCK_BYTES));
    }

    /** Whether these limits allow every path that {@link FsPath#parse} accepts. */
    boolean allowEveryPath() {
        return nameBytes == FsPath.MAX_NAME_BYTES && pathNames == FsPath.MAX_DEPTH;
    }
}
