package io.steadfs.mds.op.ground;

import io.steadfs.wire.proto.Attributes;

/** An object at another shard. That shard described it at some moment since the request came. */
public record RemoteObject(Attributes attributes) implements Guarded {
    @Override
    public int mode() {
        return attributes.getMode();
    }

    @Override
    public String owner() {
        return attributes.getOwner();
    }

    @Override
    public String group() {
        return attributes.getGroup();
    }
}
