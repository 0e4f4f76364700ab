package io.steadfs.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SteadUriTest {
    @ParameterizedTest
    @CsvSource({
        "stead://localhost:7500,  stead://localhost:7500",
        "stead://localhost:7500/, stead://localhost:7500",
        "stead://localhost,       stead://localhost:7410",
        "stead://[::1]:7500,      stead://[::1]:7500"
    })
    void isRead(String text, String uri) {
        assertThat(SteadUri.parse(text)).hasToString(uri);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost:7500", "hdfs://localhost:7500", "stead://localhost:7500/a", "stead:///a", "a b"})
    void otherTextIsNamed(String text) {
        assertThatThrownBy(() -> SteadUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
