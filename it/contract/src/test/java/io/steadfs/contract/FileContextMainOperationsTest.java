package io.steadfs.contract;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;

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
}
