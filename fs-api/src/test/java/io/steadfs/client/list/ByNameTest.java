package io.steadfs.client.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values come out in the order of their names, whatever the names have in common. */
class ByNameTest {
    /** Around the codes that eight bits cannot tell apart. */
    private static final String LETTERS = "ab\0\u00fd\u00fe\u00ff\u0100\u4e00\ud83d\ude00";

    private static void isSorted(List<String> names) {
        ByName<String> byName = new ByName<>();
        names.forEach(name -> byName.add(name, name));
        assertThat(byName.sorted()).isEqualTo(names.stream().sorted().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 10_000})
    void numberedNames(int count) {
        List<String> names = new ArrayList<>(
                IntStream.range(0, count).mapToObj(i -> "part-" + i).toList());
        java.util.Collections.shuffle(names, new Random(count));
        isSorted(names);
    }

    @Test
    void namesWithAnythingInCommon() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<String> names = new ArrayList<>();
            List<String> beginnings = new ArrayList<>(List.of(""));
            int count = random.nextInt(200);
            for (int i = 0; i < count; i++) {
                String name = beginnings.get(random.nextInt(beginnings.size()));
                for (int more = random.nextInt(12); more > 0; more--) {
                    name += LETTERS.charAt(random.nextInt(LETTERS.length()));
                }
                names.add(name);
                beginnings.add(name);
            }
            isSorted(names);
        }
    }
}
