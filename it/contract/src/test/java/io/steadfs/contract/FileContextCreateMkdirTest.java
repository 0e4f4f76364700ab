package io.steadfs.contract;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.junit.jupiter.api.BeforeEach;

class FileContextCreateMkdirTest extends FileContextCreateMkdirBaseTest {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
        fc = FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
        super.setUp();
    }
}
