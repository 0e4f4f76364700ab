package io.steadfs.mds.pipeline;

import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What other shards answered so far to the needs of one operation, refusals included. Notes which of them a run looked
 * at, so that what was prepared and then turned out not to be wanted can be undone. Used by one run at a time.
 */
public final class PeerAnswers {
    private final Map<Need, Reply> replies;
    private final Set<Need> used = new HashSet<>();

    private PeerAnswers(Map<Need, Reply> replies) {
        this.replies = replies;
    }

    public static PeerAnswers none() {
        return new PeerAnswers(Map.of());
    }

    /** These and more; nothing of them is used yet. */
    public PeerAnswers with(Map<Need, Reply> more) {
        Map<Need, Reply> all = new HashMap<>(replies);
        all.putAll(more);
        return new PeerAnswers(all);
    }

    public Optional<Reply> find(Need need) {
        Optional<Reply> found = Optional.ofNullable(replies.get(need));
        if (found.isPresent()) {
            used.add(need);
        }
        return found;
    }

    /** @throws Missing if it is not found yet */
    public Reply get(Need need) {
        return find(need).orElseThrow(() -> new Missing(Set.of(need)));
    }

    /** The same findings for another run of the decision. */
    public PeerAnswers again() {
        return new PeerAnswers(replies);
    }

    /** What this run looked at. */
    public Set<Need> used() {
        return Set.copyOf(used);
    }
}
