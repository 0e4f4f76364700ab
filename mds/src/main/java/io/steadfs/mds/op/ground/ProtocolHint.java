package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.layout.ProtocolName;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.store.ReadView;
import java.nio.charset.StandardCharsets;

/** Reads the hint of a directory that names a create protocol for files in the directory. */
public final class ProtocolHint {
    private ProtocolHint() {}

    /** The hint of a directory of this shard; empty if it has none. */
    public static String of(Handle directory, ReadView view) {
        return Xattrs.find(view, directory, ProtocolName.HINT)
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .orElse("");
    }
}
