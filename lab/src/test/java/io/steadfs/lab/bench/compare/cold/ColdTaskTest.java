package io.steadfs.lab.bench.compare.cold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColdTaskTest {
    @Test
    void eachThreadDoesTheSameNumberAndAllTogetherEnough() {
        assertThat(task(1).operationsOfThread()).isEqualTo(1000);
        assertThat(task(8).operationsOfThread()).isEqualTo(125);
        assertThat(task(24).operationsOfThread()).isEqualTo(42);
        assertThat(task(24).operations()).isEqualTo(1008);
    }

    @Test
    void argumentsTellAllToAnotherProcess() {
        assertThat(ColdTask.parse(task(8).arguments())).isEqualTo(task(8));
        assertThat(task(8).arguments()).hasSize(ColdTask.ARGUMENTS);
    }

    private static ColdTask task(int threads) {
        return new ColdTask("/ground", ColdWork.RENAME, threads, 3);
    }
}
