package io.steadfs.mds.pipeline;

import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds what other shards have answered so far to the needs of one command, refusals included. A run notes which answers were
 * looked at. So a prepared slot that was not needed in the end can be undone. Used by one run at a time.
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

    /** These answers and more. No answer counts as used yet. */
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

    /** @throws Missing if there is no answer to the need yet */
    public Reply get(Need need) {
        return find(need).orElseThrow(() -> new Missing(Set.of(need)));
    }

    /** The same answers for another run of the decision. */
    public PeerAnswers again() {
        return new PeerAnswers(replies);
    }

    /** The needs whose answers this run looked at. */
    public Set<Need> used() {
        return Set.copyOf(used);
    }
}
