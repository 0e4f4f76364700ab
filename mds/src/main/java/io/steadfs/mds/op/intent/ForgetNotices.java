package io.steadfs.mds.op.intent;

import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.Told;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;
import java.util.List;

/**
 * Removes notices from the outbox after the receiving shards acknowledged them. Answers how many notices were removed.
 */
public final class ForgetNotices extends InternalCommand<Integer> {
    private final List<Notice> notices;

    public ForgetNotices(List<Notice> notices) {
        this.notices = List.copyOf(notices);
    }

    @Override
    public Decision<Integer> decide(ReadView view, Inputs inputs) {
        return Decision.of(notices.size(), new Told(notices));
    }
}
