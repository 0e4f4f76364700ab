package io.steadfs.mds.op.session;

import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionRemoved;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Ends a session by one step, and in the end forgets it. Answers whether another step is needed. */
public final class ExpireSession extends InternalCommand<Boolean> {
    private final long id;
    private final boolean forget;
    private final BooleanSupplier heardAgain;

    /**
     * @param forget also remove the session's row, once nothing else is left of it
     * @param heardAgain whether the session was heard of after it was found silent, so that it does not end; may be called
     *     from any thread
     */
    public ExpireSession(long id, boolean forget, BooleanSupplier heardAgain) {
        this.id = id;
        this.forget = forget;
        this.heardAgain = heardAgain;
    }

    @Override
    public boolean isCancelled() {
        return heardAgain.getAsBoolean();
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Optional<Session> session = Sessions.find(view, id);
        if (session.isEmpty()) {
            return Decision.of(false);
        }
        SessionEnd end = SessionEnd.step(view, session.get());
        List<LogRecord> records = new ArrayList<>(end.records());
        if (forget && !end.more() && !UnlinkedFiles.hasAny(view, id)) {
            records.add(new SessionRemoved(id));
        }
        return new Decision<>(records, end.more());
    }
}
