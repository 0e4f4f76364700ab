package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.layout.WriteGeneration;
import io.steadfs.wire.Role;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides which write generations of requests this server accepts. The server refuses generations below the highest one
 * that it has for a datafile. So a generation that is too high would shut out every writer for ever. Three cases
 * differ:
 *
 * <ul>
 *   <li>A generation that is at most one above the datafile's highest one is accepted. Each new writer of a file raises
 *       the generation by one.
 *   <li>A higher generation is accepted after the metafile's shard has said that the metafile has reached the
 *       generation. Until the shard has answered, the server answers the request with BUSY, and the sender repeats the
 *       request.
 *   <li>Another server may use any generation up to {@link WriteGeneration#MOST_TOLD}, because recovery seals with
 *       generations that no shard was asked about. A shard can still go above {@code MOST_TOLD}.
 * </ul>
 *
 * <p>This class asks a shard about a metafile only once at a time, even if many requests name the metafile. May be
 * called from any thread.
 */
public final class KnownGenerations {
    /**
     * The highest number of metafiles whose generations are kept. The least recently used metafile is forgotten first.
     */
    static final int MOST_KEPT = 4096;

    /**
     * The highest number of metafiles that are asked about at a time. Requests for further metafiles get BUSY and start
     * no question.
     */
    static final int MOST_ASKED = 1024;

    /**
     * The generation that is kept for a metafile that does not exist any more. Nobody writes a metafile that does not
     * exist. But a request for such a metafile may name a datafile that another metafile gets later. So a shard must be
     * able to go above this generation.
     */
    private static final long GONE = WriteGeneration.MOST_TOLD;

    private final Map<Handle, Long> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Handle, Long> eldest) {
            return size() > MOST_KEPT;
        }
    };
    private final Set<Handle> asked = new HashSet<>();
    private Optional<Shards> shards = Optional.empty();

    /** Asks the shards of the file system. */
    @FunctionalInterface
    public interface Shards {
        /**
         * The metafile's write generation; empty if the metafile does not exist. The future fails if the shard did not
         * answer. May be called from any thread.
         */
        CompletableFuture<OptionalLong> generationOf(Handle metafile);
    }

    /** Says why a request is not served now. */
    record Refusal(FsError error, String message) {}

    /** Sets the shards to ask. Without shards, the server accepts every possible generation. */
    public synchronized void ask(Shards of) {
        shards = Optional.of(of);
    }

    /** Does the same as {@link #refusal(Handle, long, long)}, but trusts a request that comes from a server. */
    Optional<Refusal> refusal(PeerIdentity from, Handle metafile, long generation, long seen) {
        boolean isBelieved = from.role() == Role.SERVER && generation >= 0 && generation <= WriteGeneration.MOST_TOLD;
        return isBelieved ? Optional.empty() : refusal(metafile, generation, seen);
    }

    /**
     * Why a request with the generation is not served; empty if it is served.
     *
     * @param seen the highest generation that the datafile has seen; 0 if there is no datafile
     */
    Optional<Refusal> refusal(Handle metafile, long generation, long seen) {
        if (!WriteGeneration.isPossible(generation)) {
            return Optional.of(new Refusal(
                    FsError.INVALID_ARGUMENT,
                    "write generation " + Long.toUnsignedString(generation) + " of metafile " + metafile
                            + " is not below " + WriteGeneration.MOST));
        }
        if (generation <= Math.max(seen, WriteGeneration.FIRST) + 1) {
            return Optional.empty();
        }
        Optional<Shards> toAsk;
        synchronized (this) {
            Long known = kept.get(metafile);
            if (shards.isEmpty() || (known != null && generation <= known)) {
                return Optional.empty();
            }
            toAsk = asked.size() < MOST_ASKED && asked.add(metafile) ? shards : Optional.empty();
        }
        toAsk.ifPresent(of -> ask(of, metafile));
        return Optional.of(new Refusal(
                FsError.BUSY,
                "write generation " + generation + " of metafile " + metafile + " is more than one above the " + seen
                        + " that is known here; its shard is being asked for its generation"));
    }

    private void ask(Shards of, Handle metafile) {
        CompletableFuture<OptionalLong> answer;
        try {
            answer = of.generationOf(metafile);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        var unused = answer.whenComplete((generation, failure) -> told(metafile, generation, failure));
    }

    private synchronized void told(Handle metafile, @Nullable OptionalLong generation, @Nullable Throwable failure) {
        asked.remove(metafile);
        if (failure == null && generation != null) {
            kept.merge(metafile, generation.orElse(GONE), Math::max);
        }
    }
}
