package io.steadfs.contract;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextURIBase;
import org.junit.jupiter.api.BeforeEach;

/** Two contexts of one cluster: one with relative paths, one with whole URIs. */
class FileContextUriTest extends FileContextURIBase {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
        fc1 = FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
        fc2 = FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
    }
}
