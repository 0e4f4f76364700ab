package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortedIfShortTest {
    @ParameterizedTest
    @CsvSource({"3, c a b,   a b c", "4, c a b,   a b c", "2, c a b,   c a b", "0, c a b,   c a b", "1, c,       c"})
    void shortListingsAreSorted(int most, String names, String given) {
        assertThat(String.join(
                        " ",
                        walk(new SortedIfShort<>(
                                List.of(names.split(" ")).iterator(), most, Comparator.naturalOrder()))))
                .isEqualTo(given);
    }

    @Test
    void noMoreThanTheBoundIsFetchedAhead() {
        Iterator<String> source = List.of("e", "d", "c", "b", "a").iterator();
        Iterator<String> listing = new SortedIfShort<>(source, 2, Comparator.naturalOrder());

        assertThat(listing.next()).isEqualTo("e");
        assertThat(source.next()).isEqualTo("c");
        assertThat(listing.next()).isEqualTo("d");
        assertThat(listing.next()).isEqualTo("b");
    }

    private static List<String> walk(Iterator<String> listing) {
        List<String> names = new ArrayList<>();
        listing.forEachRemaining(names::add);
        return names;
    }
}
