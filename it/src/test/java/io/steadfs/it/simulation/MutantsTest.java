package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulation finds planted mistakes. */
class MutantsTest {
    /** Of each mistake; few in every build, where only mistakes are planted that few seeds find. */
    private static final int MOST_SEEDS = Integer.getInteger("stead.mutant.seeds", 0);

    private static final int FEW_SEEDS = 150;

    /** Only mistakes with this in their name; all where it is empty. */
    private static final String NAMED = System.getProperty("stead.mutant.named", "");

    private static final List<String> EASY = List.of("no fsync", "replies not recorded");

    /** Seeds that run side by side; the least that finds something counts. */
    private static final int AT_ONCE = 4 * Runtime.getRuntime().availableProcessors();

    private record Caught(long seed, String violation) {}

    @Test
    void eachIsCaught(@TempDir Path work) throws IOException {
        long first = Long.getLong("stead.seed", 1);
        Path project = Path.of(System.getProperty("stead.home"));
        List<String> missed = new ArrayList<>();
        for (Mutant mutant : Mutants.ALL) {
            boolean isLeftOut = MOST_SEEDS == 0 && !EASY.contains(mutant.name());
            if (isLeftOut || !mutant.name().contains(NAMED)) {
                continue;
            }
            Mutant.Seeds seeds = mutant.load(project, work);
            int most = MOST_SEEDS == 0 ? FEW_SEEDS : MOST_SEEDS;
            Optional<Caught> caught = Optional.empty();
            for (int tried = 0; caught.isEmpty() && tried < most; tried += AT_ONCE) {
                caught = LongStream.range(first + tried, first + Math.min(most, tried + AT_ONCE))
                        .parallel()
                        .mapToObj(seed -> new Caught(seed, seeds.violation(seed)))
                        .filter(each -> !each.violation().isEmpty())
                        .min(Comparator.comparingLong(Caught::seed));
            }
            System.out.println("| " + mutant.name() + " | "
                    + caught.map(each -> String.valueOf(each.seed() - first + 1))
                            .orElse("none of " + most) + " | "
                    + caught.map(each -> each.violation().lines().findFirst().orElse(""))
                            .orElse("") + " |");
            if (caught.isEmpty()) {
                missed.add(mutant.name());
            }
        }
        assertThat(missed).as("mistakes that no seed from %s on found", first).isEmpty();
    }

    /** Also those that are not looked for in this run: their sources change. */
    @Test
    void eachCanBePlanted() throws IOException {
        for (Mutant mutant : Mutants.ALL) {
            assertThat(mutant.planted(Path.of(System.getProperty("stead.home"))))
                    .as(mutant.name())
                    .isNotEmpty();
        }
    }

    @Test
    void aSoundOneIsSound(@TempDir Path work) throws IOException {
        Mutant none = new Mutant("none", List.of());
        assertThat(none.load(Path.of(System.getProperty("stead.home")), work).violation(1))
                .isEmpty();
    }
}
