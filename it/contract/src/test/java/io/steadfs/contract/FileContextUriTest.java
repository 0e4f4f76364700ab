package io.steadfs.contract;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;

/** Two contexts of one cluster: one with relative paths, one with whole URIs. */
class FileContextUriTest extends FileContextURIBase {
    private static final Path IN_USE = new Path("/in-use");

    @Override
    @BeforeEach
    public void setUp() throws Exception {
        fc1 = FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
        fc2 = FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
        storeBytes();
    }

    /** IO servers tell what they store every few seconds; the suite looks at it at once. */
    private void storeBytes() throws IOException {
        if (fc1.util().exists(IN_USE)) {
            return;
        }
        try (FSDataOutputStream out = fc1.create(IN_USE, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
            out.writeBytes("in use");
        }
        await("bytes in use")
                .atMost(Duration.ofMinutes(1))
                .until(() -> fc1.getFsStatus(IN_USE).getUsed() > 0);
    }
}
