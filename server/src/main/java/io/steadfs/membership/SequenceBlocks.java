package io.steadfs.membership;

import io.steadfs.config.ConfigKey;
import io.steadfs.handle.Handle;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves the sequence numbers in the handles of one owner, so that no handle is ever given out twice, whatever happens
 * to the owner's data directory.
 *
 * <p><b>Reserving</b> a block takes three steps: (1) the ceiling in the owner's node is raised by compare-and-set; (2) the data directory
 * durably records the new ceiling; (3) the node notes that it did. Only then may numbers of the block be given out. <b>A start</b> never
 * continues within a block. It gives out numbers from the ceiling in the node on. A data directory that is an older copy of itself would
 * not know which numbers of its last block were given out.
 *
 * <p><b>Invariant 1</b>: every number given out is below the ceiling in the node (1 comes before use). With the rule for
 * starts and the compare-and-set it follows that no number is given out twice, and this depends on the node alone.
 *
 * <p><b>Invariant 2</b>: every number given out is below a recorded ceiling that the node has noted (3 comes before use). So if the record
 * is below the noted one at a start, the data directory has lost something that was given out: it is a wiped disk or an older copy. Then
 * the owner continues under the next incarnation, so that lost objects are told from those made since. A crash between the steps is not
 * such a loss. After (1) or (2) nothing of the block was given out, the record is at or above the noted one, and the start skips the block.
 * If the node has noted no record of its newest incarnation, nothing is lost either, because no number of it was given out.
 *
 * <p>An incarnation whose numbers are used up gives way to the next; after the 256th the owner refuses. A node that is behind the record
 * (ZooKeeper was restored from an older copy) is raised to the record. Two cases cannot be noticed: an older copy taken within the newest
 * block (no handle is given out twice then either), and older copies of both sides.
 *
 * <p>At most one process reserves for an owner: the one that started last. When an older process asks for the next block, it learns that it
 * is superseded, and gives out only the numbers that it has.
 */
public final class SequenceBlocks {
    public static final ConfigKey<Long> BLOCK = ConfigKey.number(
            "stead.sequence.block",
            1L << 20,
            16,
            1L << 32,
            "handles",
            "How many handles a server reserves at once; half a block before the end it reserves the next one.");

    private static final Logger LOG = LoggerFactory.getLogger(SequenceBlocks.class);

    private final ZooKeeperTree tree;
    private final int owner;
    private final DataDirectory directory;
    private final long blockSize;
    private final Executor background;
    private final UUID holder = UUID.randomUUID();
    private final AtomicBoolean reserving = new AtomicBoolean();
    private volatile SequenceBlock current;

    private SequenceBlocks(ZooKeeperTree tree, int owner, DataDirectory directory, long blockSize, Executor background)
            throws MembershipException {
        this.tree = tree;
        this.owner = owner;
        this.directory = directory;
        this.blockSize = blockSize;
        this.background = background;
        this.current = start();
    }

    /**
     * Reserves the first block of this process.
     *
     * @param background runs reservations; one at a time
     */
    static SequenceBlocks open(
            ZooKeeperTree tree, int owner, DataDirectory directory, long blockSize, Executor background)
            throws MembershipException {
        return new SequenceBlocks(tree, owner, directory, blockSize, background);
    }

    /** The numbers that may be given out now; from any thread. */
    public SequenceBlock current() {
        return current;
    }

    /**
     * Reports how far the owner's counter is, at each use or less often; cheap, from any thread. The next block is reserved in time in the
     * background. If that fails (ZooKeeper does not answer), the next call tries again.
     *
     * @param next first number of the current incarnation not yet given out
     */
    public void used(long next) {
        if (current.ceiling() - next < blockSize / 2 && reserving.compareAndSet(false, true)) {
            try {
                background.execute(this::refill);
            } catch (RejectedExecutionException e) {
                LOG.debug("owner {} reserves no more numbers: stopping", Integer.toHexString(owner));
            }
        }
    }

    private void refill() {
        try {
            current = next();
        } catch (MembershipException | RuntimeException e) {
            LOG.warn("{} cannot reserve sequence numbers beyond {}: {}", this, current.ceiling(), e.getMessage());
        } finally {
            reserving.set(false);
        }
    }

    private SequenceBlock start() throws MembershipException {
        SequenceRecord record = directory.sequence(owner);
        Optional<Versioned<SequenceNode>> found = tree.read(path(), SequenceNode.class);
        if (found.isEmpty()) {
            tree.create(path(), new SequenceNode(0, 1, 0, 0, holder));
            found = tree.read(path(), SequenceNode.class);
        }
        Versioned<SequenceNode> node = found.orElseThrow(() -> new MembershipException(path() + " vanished"));
        return reserve(node, startAt(this.toString(), node.value(), record));
    }

    /** The record at which a start continues; its {@code ceiling} is the first number to give out. */
    static SequenceRecord startAt(String owner, SequenceNode node, SequenceRecord record) throws MembershipException {
        if (record.compareTo(node.reserved()) > 0) {
            LOG.warn("{}: ZooKeeper is behind the data directory, {} after {}", owner, node.reserved(), record);
            return record;
        }
        boolean somethingGivenOut = node.recordedIncarnation() == node.incarnation() && node.recordedCeiling() > 0;
        if (somethingGivenOut && record.compareTo(node.recorded()) < 0) {
            LOG.warn("{}: the data directory is behind ZooKeeper, {} after {}", owner, record, node.recorded());
            return nextIncarnation(owner, node.incarnation());
        }
        return node.reserved();
    }

    private static SequenceRecord nextIncarnation(String owner, int incarnation) throws MembershipException {
        if (incarnation >= Handle.MAX_INCARNATION) {
            throw new MembershipException(owner + " has used its " + (Handle.MAX_INCARNATION + 1)
                    + " incarnations; give the server another id");
        }
        return new SequenceRecord(incarnation + 1, 1);
    }

    private SequenceBlock next() throws MembershipException {
        SequenceBlock known = current;
        Versioned<SequenceNode> node = tree.read(path(), SequenceNode.class)
                .orElseThrow(() -> new MembershipException(path() + " was removed from ZooKeeper"));
        if (!node.value().holder().equals(holder)) {
            throw new MembershipException(
                    "another process, " + node.value().holder() + ", reserves for " + this + " since then");
        }
        SequenceBlock more = reserve(node, node.value().reserved());
        // The node names this process, so that every number up to its ceiling is ours.
        return more.incarnation() == known.incarnation()
                ? new SequenceBlock(known.incarnation(), known.first(), more.ceiling())
                : more;
    }

    private SequenceBlock reserve(Versioned<SequenceNode> node, SequenceRecord from) throws MembershipException {
        SequenceRecord first =
                from.ceiling() > Handle.MAX_SEQUENCE ? nextIncarnation(toString(), from.incarnation()) : from;
        long start = Math.max(first.ceiling(), 1);
        SequenceRecord reserved =
                new SequenceRecord(first.incarnation(), Math.min(start + blockSize, Handle.MAX_SEQUENCE + 1));
        SequenceRecord recorded = node.value().recorded();
        int version = tree.replace(path(), node.version(), node(reserved, recorded), SequenceNode.class);
        directory.setSequence(owner, reserved);
        tree.replace(path(), version, node(reserved, reserved), SequenceNode.class);
        return new SequenceBlock(reserved.incarnation(), start, reserved.ceiling());
    }

    private SequenceNode node(SequenceRecord reserved, SequenceRecord recorded) {
        return new SequenceNode(
                reserved.incarnation(), reserved.ceiling(), recorded.incarnation(), recorded.ceiling(), holder);
    }

    private String path() {
        return tree.sequence(owner);
    }

    @Override
    public String toString() {
        return String.format("owner %04x", owner);
    }
}
