package io.steadfs.contract;

import java.net.URI;
import org.apache.hadoop.fs.SymlinkBaseTest;

/** Hadoop's suite for symbolic links, on the cluster. */
abstract class SymlinkSuite extends SymlinkBaseTest {
    @Override
    protected String getScheme() {
        return "stead";
    }

    @Override
    protected String testBaseDir1() {
        return "/symlinks1";
    }

    @Override
    protected String testBaseDir2() {
        return "/symlinks2";
    }

    @Override
    protected URI testURI() {
        return Cluster.uri();
    }
}
