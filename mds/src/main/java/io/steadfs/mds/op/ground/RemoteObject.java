package io.steadfs.mds.op.ground;

import io.steadfs.wire.proto.Attributes;

/**
 * An object on another shard, with attributes that the other shard sent. The attributes are from a moment after the
 * request arrived here.
 */
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
