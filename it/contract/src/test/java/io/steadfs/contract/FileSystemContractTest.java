package io.steadfs.contract;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.junit.jupiter.api.BeforeEach;

class FileSystemContractTest extends FileSystemContractBaseTest {
    @BeforeEach
    void open() throws IOException {
        fs = FileSystem.get(Cluster.uri(), Cluster.configuration());
        fs.setWorkingDirectory(fs.getHomeDirectory());
    }
}
