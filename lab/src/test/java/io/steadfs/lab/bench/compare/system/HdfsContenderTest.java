package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HdfsContenderTest {
    /** Hadoop's own: 400 ms and five more tries, each after twice the time: 12.4 s in all. */
    @ParameterizedTest
    @CsvSource({"400,5", "10,10", "1,14", "10000,1", "60000,1"})
    void clientsWaitTenSecondsInAllForABlockToBeReported(int delayMillis, String retries) {
        assertThat(new HdfsContender.Options(true, false, delayMillis).settings())
                .containsEntry("dfs.client.block.write.locateFollowingBlock.retries", retries);
    }
}
