package io.steadfs.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** XXH64, seed 0, against published values: of texts, and of the byte pattern of the reference self-test. */
class NameHashTest {
    @ParameterizedTest
    @CsvSource({
        "'', ef46db3751d8e999",
        "a, d24ec4f1a98c6e5b",
        "as, 1c330fb2d66be179",
        "asd, 631c37ce72a97393",
        "asdf, 415872f599cea71e",
        "abc, 44bc2cf5ad770999",
        "Nobody inspects the spammish repetition, fbcea83c8a378bf1",
        "Call me Ishmael. Some years ago--never mind how long precisely-, 02a2e85470d6fd96",
        "part-00000-1b2c.snappy.parquet, b6ffb1e4c7ae5fe8",
        "über/日本, f6b7a4b221034820",
    })
    void texts(String text, String hash) {
        assertThat(Long.toHexString(NameHash.of(text))).isEqualTo(Long.toHexString(Long.parseUnsignedLong(hash, 16)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, ef46db3751d8e999",
        "1, e934a84adb052768",
        "4, 9136a0dca57457ee",
        "8, cdbcf538e71d1348",
        "14, 8282dcc4994e35c8",
        "31, 299b39a290e6d783",
        "32, 18b216492bb44b70",
        "33, 55c8dc3e578f5b59",
        "63, a9efbe0fa0f3f4e7",
        "64, ef558f8acac2b5cd",
        "222, b641ae8cb691c174",
    })
    void everyLengthClass(int length, String hash) {
        byte[] bytes = new byte[length];
        long generator = 2654435761L;
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (generator >>> 56);
            generator *= 0x9E3779B185EBCA8DL;
        }
        assertThat(NameHash.of(bytes, 0, length)).isEqualTo(Long.parseUnsignedLong(hash, 16));
    }

    @Test
    void onlyTheRangeCounts() {
        byte[] bytes = "xxpart-00000-of-a-longer-name-than-32-bytesyy".getBytes(StandardCharsets.UTF_8);
        byte[] inner = Arrays.copyOfRange(bytes, 2, bytes.length - 2);
        assertThat(NameHash.of(bytes, 2, inner.length)).isEqualTo(NameHash.of(inner, 0, inner.length));
    }
}
