package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** These tests run once for each version of Hadoop; this one makes sure that they do. */
class HadoopVersionTest {
    @Test
    void isTheOneThatTheBuildMeant() {
        assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("steadfs.test.hadoop"));
    }
}
