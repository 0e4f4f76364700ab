package io.steadfs.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkTest {
    private static Finding leaked(int number, String what) {
        return Finding.of(FindingKind.LEAKED_DATAFILE, "io-1", Handle.of(1, 1, number), Handle.NONE, what);
    }

    @Test
    void isOfOneFileSystem(@TempDir Path dir) throws IOException {
        try (Work work = Work.open(dir)) {
            work.begin("a", 2);
        }
        try (Work work = Work.open(dir)) {
            work.begin("a", 2);
            assertThatThrownBy(() -> work.begin("b", 2))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("file system a of 2 shards")
                    .hasMessageContaining("file system b of 2 shards");
            assertThatThrownBy(() -> work.begin("a", 3)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void keepsFindingsAndRepairs(@TempDir Path dir) throws IOException {
        Finding named = new Finding(
                FindingKind.DANGLING_DIRENT,
                "shard 1",
                Handle.of(Handle.shardOwner(1), 1, 5),
                Handle.ROOT,
                ByteString.copyFrom(new byte[] {1, 0, -1}),
                "'a' leads nowhere");
        Repaired repaired = new Repaired(named, true, "gone", ByteString.copyFromUtf8("old"));
        try (Work work = Work.open(dir);
                WorkBatch batch = work.batch()) {
            batch.found(leaked(1, "twice"));
            batch.found(leaked(1, "the same again"));
            batch.found(leaked(2, "other").ofColumn(3, 4, 5));
            batch.found(named);
            batch.repaired(repaired);
            batch.commit();
        }
        try (Work work = Work.open(dir)) {
            assertThat(work.counts())
                    .containsEntry(FindingKind.LEAKED_DATAFILE, 2L)
                    .containsEntry(FindingKind.DANGLING_DIRENT, 1L)
                    .containsEntry(FindingKind.STRAY_INDEX, 0L);
            assertThat(work.findings(FindingKind.LEAKED_DATAFILE, Optional.empty(), 10))
                    .containsExactly(
                            leaked(1, "the same again"), leaked(2, "other").ofColumn(3, 4, 5));
            assertThat(work.findings(FindingKind.LEAKED_DATAFILE, Optional.of(leaked(1, "")), 10))
                    .containsExactly(leaked(2, "other").ofColumn(3, 4, 5));
            assertThat(work.findings(1)).hasSize(1);
            assertThat(work.repairs(10)).isEqualTo(List.of(repaired));
            assertThat(work.repair(named)).contains(repaired);
            assertThat(work.repair(leaked(1, "twice"))).isEmpty();
        }
    }

    @Test
    void whatWasNotCommittedIsForgotten(@TempDir Path dir) throws IOException {
        try (Work work = Work.open(dir)) {
            try (WorkBatch batch = work.batch()) {
                batch.found(leaked(1, "not kept"));
            }
            assertThat(work.findings(10)).isEmpty();
        }
    }
}
