package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:1",
                "io-1.example:65535",
                "10.0.0.7:7410",
                "[::1]:80",
                "[fe80::1%eth0]:9",
                "b\u00fcro:7",
                "host_1.:2",
                "[fe80::1%veth+1]:1",
                "\u0939\u093f\u0928\u094d\u0926\u0940.example:1"
            })
    void whatIsReadIsWrittenTheSame(String text) {
        assertThat(ServerAddress.parse(text)).hasToString(text);
    }

    @Test
    void aNameMayStandInBrackets() {
        assertThat(ServerAddress.parse("[host]:80")).isEqualTo(new ServerAddress("host", 80));
    }

    /** Who announces a literal address with its brackets has it written with two pairs of them by an earlier release. */
    @Test
    void bracketsAreNoPartOfAHost() {
        assertThat(new ServerAddress("[::1]", 80)).hasToString("[::1]:80");
        assertThat(ServerAddress.parse("[[::1]]:80")).hasToString("[::1]:80");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "host",
                "host:",
                "host:0",
                "host:65536",
                "host:123456",
                "host:+1",
                "::1:80",
                "[a:1",
                "[a.]]:1",
                "a b:1",
                "a/b:1",
                "user@host:1",
                "a\nb:1",
                "[]:1"
            })
    void whatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> ServerAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hostsHaveAnEnd() {
        assertThat(new ServerAddress("a".repeat(255), 1).host()).hasSize(255);
        assertThatThrownBy(() -> new ServerAddress("a".repeat(256), 1))
                .hasMessageContaining("a host of 256 characters, at most 255");
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThatThrownBy(() -> ServerAddress.parse("a[b:1")).hasMessageContaining("'a[b' is no host");
        assertThatThrownBy(() -> ServerAddress.parse("::1:80")).hasMessageContaining("write [::1]:port");
    }
}
