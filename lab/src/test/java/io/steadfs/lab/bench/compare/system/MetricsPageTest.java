package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsPageTest {
    @Test
    void valuesAreSummedOverLabels() {
        MetricsPage page = MetricsPage.parse("""
                # TYPE steadfs_messages_in_total counter
                # HELP steadfs_messages_in_total Requests that arrived, by kind.
                steadfs_messages_in_total{kind="CREATE",role="mds",server="mds-1"} 7.0
                steadfs_messages_in_total{kind="CLOSE",role="mds",server="mds-1"} 5.0
                steadfs_disk_free_bytes{role="mds",server="mds-1"} 7.8524760064E10

                steadfs_epoch 3.0
                """);
        assertThat(page.sum("steadfs_messages_in_total")).isEqualTo(12);
        assertThat(page.sum("steadfs_disk_free_bytes")).isEqualTo(78_524_760_064L);
        assertThat(page.sum("steadfs_epoch")).isEqualTo(3);
        assertThat(page.sum("steadfs_messages_out_total")).isZero();
    }
}
