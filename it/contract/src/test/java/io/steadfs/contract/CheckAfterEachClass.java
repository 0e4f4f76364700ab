package io.steadfs.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each class of tests a check of the file system must find nothing. JUnit finds this class by itself. */
public final class CheckAfterEachClass implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (Cluster.isRunning()) {
            SteadCommand.Ended fsck =
                    SteadCommand.run("fsck", "--uri", Cluster.uri().toString());
            assertThat(fsck.exitCode())
                    .as("fsck after %s: %s", context.getDisplayName(), fsck.printed())
                    .isZero();
        }
    }
}
