package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToldLengthTest {
    private static Configuration options(String length) {
        Configuration options = new Configuration(false);
        options.set("fs.option.openfile.length", length);
        return options;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "4096.0, 4096",
        "' 4096 ', 4096",
        "4.32E61, 9223372036854775807",
        "9223372036854775807, 9223372036854775807",
        "9223372036854775808, 9223372036854775807",
        "Infinity, 9223372036854775807"
    })
    void isTheNumber(String text, long length) {
        assertThat(ToldLength.of(options(text))).isEqualTo(OptionalLong.of(length));
    }

    @ParameterizedTest
    @CsvSource({"-1", "-1.5", "-1E61", "NaN", "all of it", "''"})
    void isNotToldByOthers(String text) {
        assertThat(ToldLength.of(options(text))).isEmpty();
    }

    @Test
    void isNotToldWithoutTheOption() {
        assertThat(ToldLength.of(new Configuration(false))).isEmpty();
    }
}
