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
 * Reserves sequence numbers for the handles of one owner, in blocks. So the owner never gives out a handle twice, even
 * if its data directory is lost or is replaced by an older copy.
 *
 * <p><b>Reserving</b> a block takes three steps. Step 1 raises the ceiling in the owner's node by compare-and-set. Step
 * 2 durably records the new ceiling in the data directory. Step 3 notes in the node that the data directory has the
 * record. The owner gives out numbers of the block only after step 3.
 *
 * <p><b>A start</b> never continues within a block. After a start, the owner gives out numbers from the ceiling in the
 * node upward. The reason: the data directory may be an older copy, which does not know which numbers of its last block
 * were given out.
 *
 * <p><b>Invariant 1</b>: every number given out is below the ceiling in the node, because step 1 comes before any
 * number is used. Every start begins at that ceiling, and compare-and-set lets only one process raise the ceiling at a
 * time. Therefore no number is given out twice. Invariant 1 depends only on the node, not on the data directory.
 *
 * <p><b>Invariant 2</b>: every number given out is below a ceiling that the node has noted as recorded. Step 3 comes
 * before any number of a block is used. If a start finds a record below the noted ceiling, the data directory may have
 * lost numbers that were given out. Only a wiped disk or an older copy has a record below the noted ceiling. After such
 * a loss the owner continues under the next incarnation, so that lost handles and new handles differ.
 *
 * <p>A crash between the three steps loses no number that was given out. If a process crashes after step 1 or after
 * step 2, no number of the block was given out. The next start finds a record at or above the noted ceiling, and skips
 * the block. If the node has noted no record of its newest incarnation, no number of that incarnation was given out.
 *
 * <p>If the numbers of an incarnation are used up, the next incarnation begins. After the 256th incarnation, the owner
 * gives out no more numbers. If ZooKeeper was restored from an older copy, the ceiling in the node is below the
 * recorded ceiling. A start then raises the node's ceiling to the recorded ceiling.
 *
 * <p>In two cases, a start cannot notice that the data directory is an older copy. In the first case, the data
 * directory is an older copy that was made after the newest block was reserved. Even then no handle is given out twice.
 * In the second case, both the node and the data directory are older copies.
 *
 * <p>At most one process reserves numbers for an owner: the process that started last. If an older process asks for the
 * next block, ZooKeeper's answer shows that another process has replaced the older process. The older process then
 * gives out only the rest of its own numbers.
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
    private volatile boolean retired;

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
     * @param background runs the reservations of later blocks, one at a time
     */
    static SequenceBlocks open(
            ZooKeeperTree tree, int owner, DataDirectory directory, long blockSize, Executor background)
            throws MembershipException {
        return new SequenceBlocks(tree, owner, directory, blockSize, background);
    }

    /** The numbers that may be given out now. Any thread may call this method. */
    public SequenceBlock current() {
        return current;
    }

    /**
     * Reports the owner's counter. The owner calls this method after each use of a number, or less often. Once less
     * than half a block is left, the method begins to reserve the next block in the background. If the reservation
     * fails because ZooKeeper does not answer, the next call tries again. Any thread may call this method. A call is
     * cheap.
     *
     * @param next the first number of the current incarnation that is not given out yet
     */
    public void used(long next) {
        if (current.ceiling() - next < blockSize / 2 && !retired && reserving.compareAndSet(false, true)) {
            try {
                background.execute(this::refill);
            } catch (RejectedExecutionException e) {
                LOG.debug("owner {} reserves no more numbers: stopping", Integer.toHexString(owner));
            }
        }
    }

    /**
     * Reserves nothing more, because another server gives out the owner's handles next. Must be called on the thread of the
     * background.
     */
    void retire() {
        retired = true;
    }

    private void refill() {
        if (retired) {
            return;
        }
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

    /** Computes the first number that may be given out after a start: the {@code ceiling} of the result. */
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
        // The node names this process as the holder. So every number below the node's ceiling belongs to this process.
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
