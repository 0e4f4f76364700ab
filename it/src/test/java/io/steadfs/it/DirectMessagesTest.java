package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.cli.connect.Connection;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages of operations with {@code stead.lookup=direct}, on a real cluster of three shards, as {@link
 * MessagesAcrossShardsTest} counts those of walks. Copies are good for the whole test.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class DirectMessagesTest {
    private static final Map<String, String> DIRECT =
            Map.of("stead.lookup", "direct", "stead.mds.copies.term", "600000");

    private final CountedShards shards;
    private final SteadFs fs;

    DirectMessagesTest(@TempDir Path data) throws IOException {
        shards = new CountedShards(data, DIRECT);
        fs = shards.fs();
    }

    @AfterAll
    void stop() throws IOException {
        shards.close();
    }

    private Map<String, Long> messages(String what, CountedShards.Work work) throws IOException {
        return shards.messages(what, work);
    }

    @Test
    void whatIsKnownCostsOneMessageAtAnyDepth() throws IOException {
        // On shard 2, below a directory of shard 1, below one of shard 2.
        FsPath deep = shards.directoryOn(1, 2, "deep").child("a").child("b").child("c");
        fs.mkdirs(deep, 0755, true, true);
        shards.write(deep.child("file"));
        fs.stat(deep.child("file"));
        fs.listSorted(deep);

        assertThat(messages("stat", () -> fs.stat(deep.child("file")))).isEqualTo(Map.of("STAT", 1L));
        assertThat(messages("list", () -> fs.listSorted(deep))).isEqualTo(Map.of("LIST", 1L));
        assertThat(messages("small file", () -> shards.write(deep.child("small"))))
                .isEqualTo(Map.of("CREATE", 1L, "WRITE", 1L, "CLOSE", 1L));
        assertThat(messages("mkdir", () -> fs.mkdirs(deep.child("d"), 0755, false, true)))
                .isEqualTo(Map.of("MKDIRS", 1L));
        assertThat(messages(
                        "rename",
                        () -> fs.rename(deep.child("small"), deep.child("d").child("moved"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L));
        assertThat(messages("unlink", () -> fs.delete(deep.child("d").child("moved"), false)))
                .isEqualTo(Map.of("DELETE", 1L));
        assertThat(messages("rmdir", () -> fs.delete(deep.child("d"), false))).isEqualTo(Map.of("DELETE", 1L));
        assertThat(messages("chmod", () -> fs.setAttributes(deep, AttributeChange.mode(0711))))
                .isEqualTo(Map.of("SET_ATTRIBUTES", 1L));
    }

    /** Its metafile stays where it was made. */
    @Test
    void aFileThatMovedToAnotherShardIsAskedForThere() throws IOException {
        shards.write(shards.in(0, "leaves"));
        FsPath moved = shards.in(1, "came");
        fs.rename(shards.in(0, "leaves"), moved, RenameMode.NO_REPLACE);
        fs.stat(shards.in(1, "first"));
        assertThat(messages("stat of a file of another shard", () -> fs.stat(moved)))
                .isEqualTo(Map.of("STAT", 1L, "STAT_HANDLES", 1L));
        assertThat(fs.stat(moved).length()).isEqualTo(100);
    }

    /** One message to a shard that the path has by chance, and one to the shard that it names, at the most. */
    @Test
    void whatIsNotKnownCostsTwo() throws IOException {
        FsPath deep = shards.directoryOn(2, 1, "cold").child("a").child("b");
        fs.mkdirs(deep, 0755, true, true);
        shards.write(deep.child("file"));
        for (int round = 0; round < 2; round++) {
            boolean haveCopies = round > 0;
            try (Connection other = shards.connect(DIRECT)) {
                Map<String, Long> messages =
                        messages("cold, round " + round, () -> other.fs().stat(deep.child("file")));
                assertThat(messages.get("STAT")).isBetween(1L, 2L);
                if (haveCopies) {
                    assertThat(messages).containsOnlyKeys("STAT");
                }
            }
        }
    }

    @Test
    void aStatWithinTheExpiryOfAttributesIsNoMessage() throws IOException {
        FsPath file = shards.in(1, "stated");
        shards.write(file);
        Map<String, String> expiring = new HashMap<>(DIRECT);
        expiring.put("stead.client.attributes.expiry", "600000");
        try (Connection other = shards.connect(expiring)) {
            int before = other.fs().stat(file).mode();
            assertThat(messages("stat within the expiry", () -> other.fs().stat(file)))
                    .isEmpty();
            fs.setAttributes(file, AttributeChange.mode(0600));
            assertThat(other.fs().stat(file).mode())
                    .as("what another client changed")
                    .isEqualTo(before);
            other.fs().setAttributes(file, AttributeChange.mode(0640));
            assertThat(other.fs().stat(file).mode())
                    .as("what the client changed itself")
                    .isEqualTo(0640);
        }
    }

    @Test
    void aRenameOfADirectoryTakesCopiesBackFromWhoHasThem() throws IOException {
        FsPath task = shards.directoryOn(1, 1, "task");
        assertThat(messages(
                        "of which nobody has copies",
                        () -> fs.rename(task, shards.in(1, "done"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L));

        FsPath used = shards.directoryOn(1, 2, "used");
        fs.listSorted(used);
        assertThat(messages(
                        "of which its own shard has a copy",
                        () -> fs.rename(used, shards.in(1, "old"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L, "RECALL_COPIES", 1L));
        assertThatThrownBy(() -> fs.listSorted(used)).hasMessageContaining("NOT_FOUND");
        assertThat(fs.listSorted(shards.in(1, "old"))).isEmpty();
    }
}
