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
 * Which write generations this server takes. It refuses generations below the highest one that it has of a datafile, so one that
 * is too high would shut out every writer for ever. One that is at most one above is taken: so far a file gets by itself. One
 * further above is taken once the metafile's shard has said that the metafile is there. Until then the request is answered BUSY,
 * and comes again. A server is believed, as far as a shard can go on above: recovery seals what nobody has asked for before.
 *
 * <p>A shard is asked once at a time for a metafile, however many requests name it. From any thread.
 */
public final class KnownGenerations {
    /** Metafiles whose answers are kept; the one that was used least lately is forgotten. */
    static final int MOST_KEPT = 4096;

    /** Metafiles that are asked for at a time; requests for further ones are BUSY and ask for nothing. */
    static final int MOST_ASKED = 1024;

    /**
     * Of a metafile that is gone: nobody writes it. A datafile that it names may become another one's all the same, so a shard must be
     * able to go on above.
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
        /** The metafile's write generation, empty if it is gone; fails if its shard did not say. From any thread. */
        CompletableFuture<OptionalLong> generationOf(Handle metafile);
    }

    /** A request that is not served now. */
    record Refusal(FsError error, String message) {}

    /** Asks these. A server that can ask nobody takes every number below the highest. */
    public synchronized void ask(Shards of) {
        shards = Optional.of(of);
    }

    /** As {@link #refusal(Handle, long, long)}, of a request that came from who it says. */
    Optional<Refusal> refusal(PeerIdentity from, Handle metafile, long generation, long seen) {
        boolean isBelieved = from.role() == Role.SERVER && generation >= 0 && generation <= WriteGeneration.MOST_TOLD;
        return isBelieved ? Optional.empty() : refusal(metafile, generation, seen);
    }

    /**
     * Why a request of the generation is not served; empty if it is.
     *
     * @param seen highest one that the datafile has seen; 0 where there is none
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
