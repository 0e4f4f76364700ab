package io.steadfs.mds.copy;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.partition.PartitionMap;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.GiveCopiesRequest;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The copies that this shard holds of rows of other shards. Each copy has a term of its own, which begins before the
 * question for it was sent. A copy is good as long as neither the monotonic nor the wall clock says that its term is
 * over. A recall takes a copy away, and spoils answers to open questions for the row. Thread-safe.
 */
public final class HeldCopies {
    /** The most copies. Above, those whose term is over are forgotten, and then any half. */
    private static final int MOST = 100_000;

    /** So many partitions of a map take the memory of one copy. */
    private static final int PARTITIONS_OF_WEIGHT = 4;

    /** A copy is renewed when it is used in this last part of its term. */
    private static final int RENEWED = 3;

    /** A batch is not begun with a copy in this last part of its term, since it might not be durable in time. */
    private static final int MARGIN = 16;

    private final Clock clock;
    private final long termNanos;
    private final Renewer renewer;
    private final Map<CopyKey, Copy> copies = new ConcurrentHashMap<>();
    /** At least the sum of the copies' weights. Guarded by this. */
    private long weight;

    /** Rows whose copies are being renewed. */
    private final Set<CopyKey> renewing = ConcurrentHashMap.newKeySet();
    /** Guarded by this. */
    private final Set<Question> open = new HashSet<>();

    private final LongAdder asked = new LongAdder();
    private final LongAdder recalled = new LongAdder();

    /** Number of the newest copy. Changed after the copy can be found. */
    private volatile long newest;

    /** A copy of one row: of a name if there is a child, else of a directory. */
    private record Copy(long number, Term term, Optional<Handle> child, Optional<AncestorCopies.Directory> directory) {
        /** A map takes as much memory as some other copies. */
        int weight() {
            return 1
                    + directory
                            .flatMap(AncestorCopies.Directory::partitions)
                            .map(map -> map.partitions().size() / PARTITIONS_OF_WEIGHT)
                            .orElse(0);
        }

        boolean isEqualTo(Optional<Handle> otherChild, Optional<AncestorCopies.Directory> otherDirectory) {
            return child.equals(otherChild) && directory.equals(otherDirectory);
        }
    }

    /**
     * When a term is over, by both clocks.
     *
     * @param nanos how long it is in all
     */
    record Term(long endNanos, long endWallMillis, long nanos) {
        static final Term ENDLESS = new Term(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

        private boolean isEndless() {
            return endWallMillis == Long.MAX_VALUE;
        }

        boolean isOver(Clock clock) {
            return !isEndless() && (clock.monotonicNanos() - endNanos >= 0 || clock.wallMillis() >= endWallMillis);
        }

        /**
         * The term with the later end. It counts as no longer than the shorter one is in all: else an owner whose terms
         * became short would be asked again at once.
         */
        Term longer(Term other) {
            Term later = endNanos - other.endNanos >= 0 ? this : other;
            return new Term(later.endNanos, later.endWallMillis, Math.min(nanos, other.nanos));
        }

        /** Whether less than this part of it is left, as one of so many. */
        boolean endsWithin(int part, Clock clock) {
            return !isEndless() && endNanos - clock.monotonicNanos() < nanos / part;
        }

        Term shorter(Term other) {
            if (isEndless()) {
                return other;
            }
            if (other.isEndless()) {
                return this;
            }
            return new Term(
                    endNanos - other.endNanos <= 0 ? endNanos : other.endNanos,
                    Math.min(endWallMillis, other.endWallMillis),
                    Math.min(nanos, other.nanos));
        }
    }

    /** Asks owners for copies anew. */
    public interface Renewer {
        /** Begins to ask for copies of the directory's row and, if there is a name, of the name. Returns at once. */
        void renew(Handle directory, Optional<String> name);
    }

    /**
     * @param termMillis how long a copy is good at most; it is not used for longer than its owner waits
     * @param renewer asks for copies that are used, before their terms are over
     */
    public HeldCopies(Clock clock, long termMillis, Renewer renewer) {
        this.clock = clock;
        this.termNanos = TimeUnit.MILLISECONDS.toNanos(termMillis);
        this.renewer = renewer;
    }

    /** A question that was sent to an owner. It takes one answer. */
    public final class Question {
        private final int owner;
        private final long askedNanos = clock.monotonicNanos();
        private final long askedWallMillis = clock.wallMillis();
        /** Rows that were recalled since the question was sent. Guarded by the copies. */
        private final Set<CopyKey> recalledSince = new HashSet<>();

        private boolean allRecalled;

        private Question(int owner) {
            this.owner = owner;
        }

        private Term term(long ownersMillis) {
            long millis = Math.min(TimeUnit.NANOSECONDS.toMillis(termNanos), Math.max(0, ownersMillis));
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            return new Term(askedNanos + nanos, askedWallMillis + millis, nanos);
        }

        /** Keeps the copies of an answer, except those that were recalled meanwhile. */
        public void answered(GiveCopiesRequest request, GiveCopiesReply reply) {
            synchronized (HeldCopies.this) {
                renewing.removeIf(
                        key -> request.getDirectory() == key.directory().value());
                if (!open.remove(this) || allRecalled) {
                    return;
                }
                Term term = term(reply.getTermMillis());
                for (GiveCopiesReply.Directory each : reply.getDirectoriesList()) {
                    keep(
                            term,
                            CopyKey.ofRow(new Handle(each.getHandle())),
                            Optional.empty(),
                            Optional.of(directory(each)));
                }
                Handle directory = new Handle(request.getDirectory());
                for (int i = 0; i < Math.min(reply.getChildrenCount(), request.getNamesCount()); i++) {
                    Handle child = new Handle(reply.getChildren(i));
                    keep(term, new CopyKey(directory, request.getNames(i)), Optional.of(child), Optional.empty());
                    directory = child;
                }
            }
        }

        private static AncestorCopies.Directory directory(GiveCopiesReply.Directory given) {
            return new AncestorCopies.Directory(
                    given.getMode(),
                    given.getOwner(),
                    given.getGroup(),
                    given.hasPartitions()
                            ? Optional.of(PartitionMap.fromProto(given.getPartitions()))
                            : Optional.empty(),
                    given.getProtocol(),
                    given.getMaxShards());
        }

        /** Ends a question that got no answer. */
        public void unanswered(GiveCopiesRequest request) {
            synchronized (HeldCopies.this) {
                renewing.removeIf(
                        key -> request.getDirectory() == key.directory().value());
                open.remove(this);
            }
        }

        /**
         * A copy that is held and equal keeps its number and gets the longer term: it was good all the time, or it would
         * have been recalled.
         */
        private void keep(
                Term term, CopyKey key, Optional<Handle> child, Optional<AncestorCopies.Directory> directory) {
            if (key.directory().shard() != owner || recalledSince.contains(key)) {
                return;
            }
            Copy old = copies.get(key);
            if (old != null && !old.term().isOver(clock) && old.isEqualTo(child, directory)) {
                copies.put(key, new Copy(old.number(), term.longer(old.term()), child, directory));
            } else {
                long number = newest + 1;
                Copy copy = new Copy(number, term, child, directory);
                copies.put(key, copy);
                weight += copy.weight();
                newest = number;
            }
        }
    }

    /** Begins a question to the owner. The caller sends it afterwards. */
    public Question ask(int owner) {
        asked.increment();
        Question question = new Question(owner);
        synchronized (this) {
            if (weight >= MOST) {
                forgetSome();
            }
            open.add(question);
        }
        return question;
    }

    private void forgetSome() {
        copies.values().removeIf(copy -> copy.term().isOver(clock));
        weight = copies.values().stream().mapToLong(Copy::weight).sum();
        if (weight >= MOST) {
            long[] left = {MOST / 2};
            copies.values().removeIf(copy -> {
                boolean isForgotten = left[0] > 0;
                left[0] -= copy.weight();
                return isForgotten;
            });
            weight = copies.values().stream().mapToLong(Copy::weight).sum();
        }
    }

    /** Drops the copies that the owner takes back. No later use finds them. */
    public void recall(RecallCopiesRequest request) {
        synchronized (this) {
            for (Question each : open) {
                if (each.owner == request.getOwner()) {
                    each.allRecalled |= request.getAll();
                    request.getRowsList().forEach(row -> each.recalledSince.add(CopyKey.of(row)));
                }
            }
            if (request.getAll()) {
                copies.keySet().removeIf(key -> key.directory().shard() == request.getOwner());
            }
            request.getRowsList().forEach(row -> copies.remove(CopyKey.of(row)));
        }
        recalled.add(request.getRowsCount());
    }

    /** Copies for one batch of decisions, which must be committed before {@link Use#end}. */
    Use forBatch() {
        return new Use(Long.MAX_VALUE, true);
    }

    /** Copies for one view. The caller takes the view afterwards. */
    Use forView() {
        return new Use(newest, false);
    }

    int size() {
        return copies.size();
    }

    long asked() {
        return asked.sum();
    }

    long recalled() {
        return recalled.sum();
    }

    /** The use of copies in a batch or in a read. One thread at a time. */
    public final class Use implements AncestorCopies {
        private final long newestAllowed;
        private final boolean needsMargin;
        private Term end = Term.ENDLESS;
        private boolean metNewer;

        private Use(long newestAllowed, boolean needsMargin) {
            this.newestAllowed = newestAllowed;
            this.needsMargin = needsMargin;
        }

        @Override
        public Optional<Handle> child(Handle directory, String name) {
            return find(new CopyKey(directory, name)).flatMap(Copy::child);
        }

        @Override
        public Optional<Directory> directory(Handle directory) {
            return find(CopyKey.ofRow(directory)).flatMap(Copy::directory);
        }

        private Optional<Copy> find(CopyKey key) {
            Copy copy = copies.get(key);
            if (copy == null
                    || copy.term().isOver(clock)
                    || (needsMargin && copy.term().endsWithin(MARGIN, clock))) {
                return Optional.empty();
            }
            if (copy.number() > newestAllowed) {
                metNewer = true;
                return Optional.empty();
            }
            if (copy.term().endsWithin(RENEWED, clock)) {
                renew(key);
            }
            end = end.shorter(copy.term());
            return Optional.of(copy);
        }

        /** The end of the shortest term of a used copy. */
        Term end() {
            return end;
        }

        /** Whether a copy was left out because it came after the view. Then a newer view may use it. */
        public boolean metNewer() {
            return metNewer;
        }
    }

    private void renew(CopyKey key) {
        if (renewing.add(key)) {
            renewer.renew(key.directory(), key.name().isEmpty() ? Optional.empty() : Optional.of(key.name()));
        }
    }
}
