package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Holds the answers of other shards to the needs of one command, refusals included. A run notes which answers it used.
 * A prepared slot that was not needed in the end can therefore be undone. Only one run at a time may use the object.
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

    /** Returns these answers together with more answers. No answer counts as used yet. */
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

    /**
     * Returns whether another shard refused with this error to prepare something. That shard holds nothing, so no answer
     * counts as used.
     */
    public boolean hasRefusal(FsError error, Predicate<Need.Prepare> which) {
        return replies.entrySet().stream()
                .anyMatch(each -> each.getKey() instanceof Need.Prepare prepare
                        && each.getValue().error() == error
                        && which.test(prepare));
    }

    /** Returns the same answers for another run of the decision. No answer counts as used yet. */
    public PeerAnswers again() {
        return new PeerAnswers(replies);
    }

    /** Returns the needs whose answers this run looked at. */
    public Set<Need> used() {
        return Set.copyOf(used);
    }
}
