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
 * Decides which write generations this server accepts. The server refuses generations below the highest one that it has for a datafile, so
 * a generation that is too high would shut out every writer for ever. A generation at most one above is accepted: a file gets that far by
 * itself. One further above is accepted once the metafile's shard has said that the metafile has reached it. Until then the request is
 * answered BUSY, and is sent again. Another server is trusted up to the generation that a shard can still go above: recovery seals with
 * generations that nobody has asked about before.
 *
 * <p>A shard is asked about a metafile once at a time, however many requests name it. From any thread.
 */
public final class KnownGenerations {
    /** Metafiles whose answers are kept; the least recently used one is forgotten. */
    static final int MOST_KEPT = 4096;

    /** Metafiles that are asked about at a time; requests for further ones are BUSY and ask nothing. */
    static final int MOST_ASKED = 1024;

    /**
     * The generation for a metafile that is gone, which nobody writes. A datafile that a request for it names may still become another
     * metafile's, so a shard must be able to go above this generation.
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

    /** The shards of the file system. */
    @FunctionalInterface
    public interface Shards {
        /** The metafile's write generation, empty if it is gone; fails if its shard did not answer. From any thread. */
        CompletableFuture<OptionalLong> generationOf(Handle metafile);
    }

    /** A request that is not served now. */
    record Refusal(FsError error, String message) {}

    /** Sets the shards to ask. A server without them accepts every possible generation. */
    public synchronized void ask(Shards of) {
        shards = Optional.of(of);
    }

    /** Does the same as {@link #refusal(Handle, long, long)}, but trusts a request that comes from a server. */
    Optional<Refusal> refusal(PeerIdentity from, Handle metafile, long generation, long seen) {
        boolean isBelieved = from.role() == Role.SERVER && generation >= 0 && generation <= WriteGeneration.MOST_TOLD;
        return isBelieved ? Optional.empty() : refusal(metafile, generation, seen);
    }

    /**
     * Why a request of the generation is not served; empty if it is.
     *
     * @param seen highest generation that the datafile has seen; 0 if there is none
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
                        + " that is known here; its shard is being asked whether it is there"));
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
