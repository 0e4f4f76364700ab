package io.steadfs.contract;

import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** As an ordinary user: what is unreadable must be so. */
class FsMainOperationsTest extends FSMainOperationsBaseTest {
    @Override
    protected FileSystem createFileSystem() throws Exception {
        return Cluster.asAlice(() -> FileSystem.get(Cluster.uri(), Cluster.configuration()));
    }

    @Override
    protected Path getDefaultWorkingDirectory() {
        return fSys.getHomeDirectory();
    }
}
