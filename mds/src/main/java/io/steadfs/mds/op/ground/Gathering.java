package io.steadfs.mds.op.ground;

import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.rpc.Reply;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Collects needs that do not depend on each other, so that they are asked for at the same time. */
public final class Gathering {
    /** Most needs that are asked for at once. */
    public static final int MOST = 256;

    private final Context context;
    private final Set<Need> missing = new LinkedHashSet<>();

    public Gathering(Context context) {
        this.context = context;
    }

    /** The answer; empty if the need must still be asked for, by {@link #settle}. */
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

    /** @throws Missing if any need must still be asked for */
    public void settle() {
        if (!missing.isEmpty()) {
            throw new Missing(missing);
        }
    }
}
