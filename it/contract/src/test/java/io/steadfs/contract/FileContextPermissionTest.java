package io.steadfs.contract;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextPermissionBase;

class FileContextPermissionTest extends FileContextPermissionBase {
    @Override
    protected FileContext getFileContext() throws Exception {
        return FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
    }
}
