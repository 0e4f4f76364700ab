package io.steadfs.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricNamesTest {
    @Test
    void everyMetricHasANameOfItsOwnThatPrometheusTakes() {
        assertThat(MetricNames.ALL).extracting(MetricName::metric).doesNotHaveDuplicates();
        assertThat(MetricNames.ALL).extracting(MetricName::status).doesNotHaveDuplicates();
        for (MetricName name : MetricNames.ALL) {
            assertThat(name.metric())
                    .matches("steadfs(_[a-z0-9]+)+")
                    .doesNotMatch(".*_(total|created|bucket|info|count|sum)");
            assertThat(name.help()).as(name.metric()).endsWith(".");
            name.label().ifPresent(label -> assertThat(label).matches("[a-z]+(_[a-z]+)*"));
        }
    }

    @Test
    void unitsStandLast() {
        for (MetricName name : MetricNames.ALL) {
            assertThat(name.metric())
                    .as(name.status())
                    .doesNotMatch(".*_(bytes|seconds)_.*")
                    .doesNotContain("millis");
        }
    }

    @Test
    void aNumberIsFoundByItsNameOrByWhatThatBeginsWith() {
        assertThat(MetricNames.of("log.batches"))
                .hasValueSatisfying(name -> assertThat(name.metric()).isEqualTo("steadfs_log_batches"));
        assertThat(MetricNames.of("messages.in.CREATE"))
                .hasValueSatisfying(name -> assertThat(name.label()).contains("kind"));
        assertThat(MetricNames.of("deletion.io-7"))
                .hasValueSatisfying(name -> assertThat(name.label()).contains("io_server"));
        assertThat(MetricNames.of("deletion.datafiles"))
                .hasValueSatisfying(name -> assertThat(name.label()).isEmpty());
        assertThat(MetricNames.of("messages.aside")).isEmpty();
        assertThat(MetricName.unknown("new.number-of.things").metric()).isEqualTo("steadfs_new_number_of_things");
    }
}
