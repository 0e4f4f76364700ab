package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.handle.HandleSequence;
import io.steadfs.mds.handle.SequenceRaised;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;

/** Takes handles for the objects that one decision makes. The decision must include the record from {@link #raised}. */
public final class NewHandles {
    private final Inputs inputs;
    private long next;

    public NewHandles(Context context) {
        this(context.view(), context.inputs());
    }

    NewHandles(ReadView view, Inputs inputs) {
        this.inputs = inputs;
        this.next = nextSequence(view, inputs);
    }

    /** The lowest handle that a later decision can take. */
    public static Handle next(Context context) {
        return next(context.view(), context.inputs());
    }

    /** Like {@link #next(Context)}, for commands of the shard itself. */
    public static Handle next(ReadView view, Inputs inputs) {
        return Handle.of(Handle.shardOwner(inputs.shard()), inputs.incarnation(), nextSequence(view, inputs));
    }

    private static long nextSequence(ReadView view, Inputs inputs) {
        return Math.max(inputs.sequenceFirst(), HandleSequence.next(view, inputs.incarnation()));
    }

    /**
     * Takes the next handle. Refuses with BUSY if the shard has used up all sequence numbers that are reserved for it.
     */
    public Handle take() throws Refused {
        if (next >= inputs.sequenceCeiling()) {
            throw new Refused(FsError.BUSY, "handles from " + next + " on are not yet reserved");
        }
        return Handle.of(Handle.shardOwner(inputs.shard()), inputs.incarnation(), next++);
    }

    public LogRecord raised() {
        return new SequenceRaised(inputs.incarnation(), next);
    }
}
