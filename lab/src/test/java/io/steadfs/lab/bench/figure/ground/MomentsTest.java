package io.steadfs.lab.bench.figure.ground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class MomentsTest {
    @Test
    void meanAndDeviationOfSamples() {
        Moments moments = new Moments();
        DoubleStream.of(2, 4, 4, 4, 5, 5, 7, 9).forEach(moments::add);

        assertThat(moments.count()).isEqualTo(8);
        assertThat(moments.mean()).isEqualTo(5);
        assertThat(moments.deviation() * moments.deviation()).isEqualTo(32 / 7.0, offset(1e-9));
    }

    @Test
    void aSingleSampleDoesNotDeviate() {
        Moments moments = new Moments();
        moments.add(3);

        assertThat(moments.deviation()).isZero();
    }
}
