package io.steadfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeyTest {
    private static final ConfigKey<Long> SIZE =
            ConfigKey.number("stead.test.size", 4096, -5, Long.MAX_VALUE, "bytes", "A size.");

    private static Settings of(String text) {
        return Settings.of(Map.of(SIZE.name(), text));
    }

    @ParameterizedTest
    @CsvSource({
        "7,7",
        "-5,-5",
        "' 64k ',65536",
        "64K,65536",
        "3m,3145728",
        "3M,3145728",
        "2g,2147483648",
        "2G,2147483648"
    })
    void numbersHaveBinarySuffixes(String text, long value) {
        assertThat(of(text).get(SIZE)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "k", "1t", "1 k", "1kk", "9223372036854775807g", "1.5k"})
    void whatIsNoNumberIsNamed(String text) {
        assertThatThrownBy(() -> of(text).get(SIZE))
                .isInstanceOf(ConfigException.class)
                .hasMessage("configuration key stead.test.size: value '" + text + "' is not a whole number");
    }

    @Test
    void theValueBelowItsRangeIsNamed() {
        assertThatThrownBy(() -> of("-6").get(SIZE))
                .hasMessage("configuration key stead.test.size: value '-6' is not in -5.." + Long.MAX_VALUE);
    }

    /** Lower case of this letter is longer than the letter, which makes a long text of them costly to convert. */
    @Test
    void aLongTextCostsAsMuchAsItIsLong() {
        String text = "\u0130".repeat(50_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> of(text).get(SIZE)).isInstanceOf(ConfigException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20L << 20);
    }
}
