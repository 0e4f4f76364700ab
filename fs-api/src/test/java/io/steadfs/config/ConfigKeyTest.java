package io.steadfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeyTest {
    private static final ConfigKey<Long> SIZE =
            ConfigKey.number("stead.test.size", 4096, -5, Long.MAX_VALUE, "bytes", "A size.");

    private static final ConfigKey<Long> TIME =
            ConfigKey.number("stead.test.time", 10, 0, Long.MAX_VALUE, "milliseconds", "A time.");
    private static final ConfigKey<Long> SHORT_TIME =
            ConfigKey.number("stead.test.short", 10, 0, Long.MAX_VALUE, "microseconds", "A short time.");

    @ParameterizedTest
    @CsvSource({
        "7,7",
        "' 7 ',7",
        "0s,0",
        "200ms,200",
        "5000us,5",
        "5s,5000",
        "5 s,5000",
        "2m,120000",
        "1h,3600000",
        "3d,259200000",
    })
    void timesHaveUnits(String text, long millis) {
        assertThat(Settings.of(Map.of(TIME.name(), text)).get(TIME)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"7,7", "7us,7", "200ms,200000", "5s,5000000"})
    void aNumberAloneHasTheUnitOfItsKey(String text, long micros) {
        assertThat(Settings.of(Map.of(SHORT_TIME.name(), text)).get(SHORT_TIME)).isEqualTo(micros);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5x     | is no time: a whole number and us, ms, s, m, h or d, or one of milliseconds
            64k    | is no time: a whole number and us, ms, s, m, h or d, or one of milliseconds
            5S     | is no time: a whole number and us, ms, s, m, h or d, or one of milliseconds
            s      | is not a whole number
            ''     | is not a whole number
            1.5s   | is not a whole number
            1h30m  | is not a whole number
            1us    | is no whole number of milliseconds
            -1s    | is not in 0..9223372036854775807
            9223372036854775807s | is too long a time
            """)
    void whatIsNoTimeIsNamed(String text, String words) {
        assertThatThrownBy(() -> Settings.of(Map.of(TIME.name(), text)).get(TIME))
                .isInstanceOf(ConfigException.class)
                .hasMessage("configuration key stead.test.time: value '" + text + "' " + words);
    }

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

    @Test
    void namesAndValuesAreCheckedTogether() {
        ConfigKeys keys = new ConfigKeys(List.of(SIZE, TIME));
        keys.check(Map.of(SIZE.name(), "7"), "--set");
        assertThatThrownBy(() -> keys.check(Map.of("stead.test.siz", "7"), "--set"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "unknown configuration key 'stead.test.siz' in --set; the nearest known one is " + SIZE.name());
        assertThatThrownBy(() -> keys.check(Map.of(SIZE.name(), "x"), "--set"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("configuration key stead.test.size: value 'x' is not a whole number");
        keys.checkValues(Map.of("stead.test.siz", "x", SIZE.name(), "7"));
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
