package io.steadfs.contract;

import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;

/** As an ordinary user: what is unreadable must be so. */
class FsMainOperationsTest extends FSMainOperationsBaseTest {
    @Override
    protected FileSystem createFileSystem() throws Exception {
        return Cluster.asAlice(() -> FileSystem.newInstance(Cluster.uri(), Cluster.configuration()));
    }

    @Override
    protected Path getDefaultWorkingDirectory() {
        return fSys.getHomeDirectory();
    }

    @Override
    @AfterEach
    public void tearDown() throws Exception {
        super.tearDown();
        fSys.close();
    }
}
