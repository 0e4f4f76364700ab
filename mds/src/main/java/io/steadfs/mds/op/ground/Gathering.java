package io.steadfs.mds.op.ground;

import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.rpc.Reply;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Collects needs that do not depend on each other, so that other shards answer all of them at the same time. */
public final class Gathering {
    /** The largest number of needs that are sent to other shards at the same time. */
    public static final int MOST = 256;

    private final Context context;
    private final Set<Need> missing = new LinkedHashSet<>();

    public Gathering(Context context) {
        this.context = context;
    }

    /**
     * The answer to the need. If there is no answer yet, the result is empty, and {@link #settle} asks for the need.
     */
    public Optional<Reply> find(Need need) {
        Optional<Reply> found = context.inputs().peerAnswers().find(need);
        if (found.isEmpty()) {
            missing.add(need);
            if (missing.size() == MOST) {
                settle();
            }
        }
        return found;
    }

    /** @throws Missing if a collected need has no answer yet */
    public void settle() {
        if (!missing.isEmpty()) {
            throw new Missing(missing);
        }
    }
}
