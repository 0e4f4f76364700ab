package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceBlocksTest extends ZooKeeperTest {
    private static final int OWNER = 3;
    private static final long BLOCK = 100;

    SequenceBlocksTest(@TempDir Path directory) {
        super(directory);
    }

    /** The rule for starts, as a table. */
    @ParameterizedTest(name = "node {0}.{1}, noted {2}.{3}, recorded {4}.{5} -> {6}.{7}")
    @CsvSource({
        // node       noted     recorded   goes on at
        "0,   1,      0,   0,   0,   0,    0,   1", // first start
        "0, 101,      0,   0,   0,   0,    0, 101", // crash after (1) of the very first block
        "0, 101,      0,   0,   0, 101,    0, 101", // crash after (2)
        "0, 101,      0, 101,   0, 101,    0, 101", // all is well
        "0, 201,      0, 101,   0, 101,    0, 201", // crash after (1)
        "0, 201,      0, 101,   0, 201,    0, 201", // crash after (2)
        "0, 201,      0, 201,   0, 101,    1,   1", // older copy
        "0, 201,      0, 201,   0,   0,    1,   1", // wiped
        "1, 101,      0, 201,   0, 101,    1, 101", // crash after (1) of a new incarnation
        "1, 101,      0, 201,   1, 101,    1, 101", // crash after (2) of a new incarnation
        "1, 101,      1, 101,   0, 201,    2,   1", // older copy, of an older incarnation
        "1, 101,      1, 101,   0,   0,    2,   1", // wiped again
        "0, 101,      0, 101,   0, 301,    0, 301", // node behind the record
        "0, 101,      0, 101,   2, 101,    2, 101", // node behind the record by incarnations
        "254, 101,  254, 101,   0,   0,  255,   1", // the last incarnation
    })
    void startsAt(
            int incarnation,
            long ceiling,
            int notedIncarnation,
            long noted,
            int recordedIncarnation,
            long recorded,
            int expectedIncarnation,
            long expected)
            throws Exception {
        SequenceNode node = new SequenceNode(incarnation, ceiling, notedIncarnation, noted, UUID.randomUUID());
        assertThat(SequenceBlocks.startAt("owner", node, new SequenceRecord(recordedIncarnation, recorded)))
                .isEqualTo(new SequenceRecord(expectedIncarnation, expected));
    }

    @Test
    void the257thIncarnationIsRefused() {
        SequenceNode node = new SequenceNode(255, 101, 255, 101, UUID.randomUUID());
        assertThatThrownBy(() -> SequenceBlocks.startAt("owner 0003", node, SequenceRecord.NOTHING))
                .isInstanceOf(MembershipException.class)
                .hasMessageContaining("owner 0003 has used its 256 incarnations");
    }

    private SequenceBlocks start(ZooKeeperTree tree, DataDirectory data) throws Exception {
        return SequenceBlocks.open(tree, OWNER, data, BLOCK, Runnable::run);
    }

    @Test
    void eachStartTakesANewBlock() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("a"))) {
            assertThat(start(tree, data).current()).isEqualTo(new SequenceBlock(0, 1, 101));
            assertThat(start(tree, data).current()).isEqualTo(new SequenceBlock(0, 101, 201));
        }
    }

    @Test
    void theNextBlockIsReservedBeforeTheEndOfThisOne() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("a"))) {
            SequenceBlocks blocks = start(tree, data);
            blocks.used(51);
            assertThat(blocks.current().ceiling()).isEqualTo(101);
            blocks.used(52);
            assertThat(blocks.current()).isEqualTo(new SequenceBlock(0, 1, 201));
            assertThat(data.sequence(OWNER)).isEqualTo(new SequenceRecord(0, 201));
            assertThat(tree.read(tree.sequence(OWNER), SequenceNode.class)
                            .orElseThrow()
                            .value()
                            .recorded())
                    .isEqualTo(new SequenceRecord(0, 201));
        }
    }

    @Test
    void anOlderProcessGetsNoMore() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("a"))) {
            SequenceBlocks older = start(tree, data);
            SequenceBlocks newer = start(tree, data);
            older.used(100);
            assertThat(older.current()).isEqualTo(new SequenceBlock(0, 1, 101));
            newer.used(200);
            assertThat(newer.current()).isEqualTo(new SequenceBlock(0, 101, 301));
        }
    }

    @Test
    void usedUpNumbersGiveWayToTheNextIncarnation() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("a"))) {
            long nearEnd = Handle.MAX_SEQUENCE - 9;
            tree.create(tree.sequence(OWNER), new SequenceNode(0, nearEnd, 0, nearEnd, UUID.randomUUID()));
            data.setSequence(OWNER, new SequenceRecord(0, nearEnd));
            SequenceBlocks blocks = start(tree, data);
            assertThat(blocks.current()).isEqualTo(new SequenceBlock(0, nearEnd, Handle.MAX_SEQUENCE + 1));
            blocks.used(Handle.MAX_SEQUENCE + 1);
            assertThat(blocks.current()).isEqualTo(new SequenceBlock(1, 1, 101));
        }
    }

    @Test
    void wipedStoreAndOlderCopyTakeTheNextIncarnation() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("a"))) {
            start(tree, data);
            Path record = data.path().resolve("sequence-0003.json");
            Path copy = directory.resolve("older copy");
            Files.copy(record, copy);
            start(tree, data);
            Files.copy(copy, record, StandardCopyOption.REPLACE_EXISTING);
            assertThat(start(tree, data).current()).as("older copy").isEqualTo(new SequenceBlock(1, 1, 101));
            Files.delete(record);
            assertThat(start(tree, data).current()).as("wiped").isEqualTo(new SequenceBlock(2, 1, 101));
            assertThat(start(tree, data).current()).as("well again").isEqualTo(new SequenceBlock(2, 101, 201));
        }
    }

    /** Whatever is lost between, no number is given out twice. */
    @Test
    void neverTwice() throws Exception {
        format();
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("SequenceBlocksTest seed " + seed);
        Random random = new Random(seed);
        Set<Handle> given = new HashSet<>();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("a"))) {
            Path record = data.path().resolve("sequence-0003.json");
            Path copy = directory.resolve("copy");
            for (int process = 0; process < 40; process++) {
                SequenceBlocks blocks = start(tree, data);
                int incarnation = blocks.current().incarnation();
                long next = blocks.current().first();
                for (int use = random.nextInt(150); use > 0; use--) {
                    if (blocks.current().incarnation() == incarnation
                            && next < blocks.current().ceiling()) {
                        assertThat(given.add(Handle.of(OWNER, incarnation, next)))
                                .as("seed %d, process %d, number %d", seed, process, next)
                                .isTrue();
                        blocks.used(++next);
                    }
                }
                switch (random.nextInt(6)) {
                    case 0 -> Files.delete(record);
                    case 1 -> Files.copy(record, copy, StandardCopyOption.REPLACE_EXISTING);
                    case 2 -> {
                        if (Files.exists(copy)) {
                            Files.copy(copy, record, StandardCopyOption.REPLACE_EXISTING);
                        }
                    }
                    default -> {}
                }
            }
        }
        assertThat(given).hasSizeGreaterThan(1000);
    }
}
