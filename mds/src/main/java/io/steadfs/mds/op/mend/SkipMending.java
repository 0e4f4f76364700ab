package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.IntentsSkipped;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.MendSkip;
import java.util.List;

/**
 * Skips intent numbers that this shard does not know, although other shards hold something for these intents. This
 * shard will never begin an intent with a skipped number. So nobody will ever finish what other shards hold for a
 * skipped intent, and the other shards may undo it.
 */
record SkipMending(MendSkip request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        long number = request.getIntent();
        if (number < 0 || number > Intents.MOST_SKIPPED) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "operation " + Long.toUnsignedString(number) + " is above " + Intents.MOST_SKIPPED);
        }
        if (Intents.find(context.view(), number).isPresent()) {
            throw Mending.stale("operation " + number + " is under way");
        }
        boolean isOver = number < Intents.next(context.view());
        return Mended.of(isOver ? List.of() : List.of(new IntentsSkipped(number + 1)));
    }
}
