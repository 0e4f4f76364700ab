package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.IntentsSkipped;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.MendSkip;
import java.util.List;

/**
 * Skips intent numbers: this shard will begin no intent under a number that it does not know, although others hold something
 * for it. So nobody will ever finish what they hold, and they may undo it.
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
