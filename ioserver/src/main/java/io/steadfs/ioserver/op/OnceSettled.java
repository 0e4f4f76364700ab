package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.datafile.Hold;
import io.steadfs.rpc.RequestHandler.Call;
import java.util.Optional;

/**
 * What waits until a check has settled the server's store: an answer of a store that lost something may be shorter than what was acknowledged, and whoever asks would
 * cut the other columns of the file to that.
 */
public final class OnceSettled implements Verb {
    private final Hold hold;
    private final Verb verb;

    public OnceSettled(Hold hold, Verb verb) {
        this.hold = hold;
        this.verb = verb;
    }

    @Override
    public void handle(Call call) {
        Optional<String> why = hold.problem();
        if (why.isPresent()) {
            Verb.refuse(call, FsError.BUSY, call.request().kind() + " waits: " + why.get());
            return;
        }
        verb.handle(call);
    }
}
