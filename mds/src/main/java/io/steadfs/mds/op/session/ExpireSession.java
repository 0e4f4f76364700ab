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

/**
 * Takes one step of ending a session. After the last step, the command can also remove the session's row. Answers
 * whether another step is needed.
 */
public final class ExpireSession extends InternalCommand<Boolean> {
    private final long id;
    private final boolean forget;
    private final BooleanSupplier heardAgain;

    /**
     * @param forget whether to remove the session's row, once nothing else is left of the session
     * @param heardAgain tells whether the client sent something after its session was found silent; then the session
     *     does not end; any thread may call this function
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
