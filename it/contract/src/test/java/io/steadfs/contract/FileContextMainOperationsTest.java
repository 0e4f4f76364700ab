package io.steadfs.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As an ordinary user: what is unreadable must be so. */
class FileContextMainOperationsTest extends FileContextMainOperationsBaseTest {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
        fc = Cluster.asAlice(() -> FileContext.getFileContext(Cluster.uri(), Cluster.configuration()));
        super.setUp();
    }

    /** Corruption is found by reading and named then; there is no list of it. */
    @Override
    protected boolean listCorruptedBlocksSupported() {
        return false;
    }

    @Override
    protected Path getDefaultWorkingDirectory() {
        return fc.makeQualified(new Path("/user/" + Cluster.ALICE));
    }

    @Override
    @Test
    public void testCreateFlagAppendExistingFile() {
        skipAsItAppends(super::testCreateFlagAppendExistingFile);
    }

    @Override
    @Test
    public void testCreateFlagCreateAppendExistingFile() {
        skipAsItAppends(super::testCreateFlagCreateAppendExistingFile);
    }

    @Override
    @Test
    public void testBuilderCreateAppendExistingFile() {
        skipAsItAppends(super::testBuilderCreateAppendExistingFile);
    }

    /** Skipped with its reason, as long as the reason is true: the day that append works, this fails. */
    private static void skipAsItAppends(ThrowingCallable test) {
        assertThatThrownBy(test).isInstanceOf(UnsupportedOperationException.class);
        Assumptions.abort("this release does not append to a file that is there");
    }
}
