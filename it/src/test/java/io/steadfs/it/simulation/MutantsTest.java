package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulation finds planted mistakes. */
class MutantsTest {
    /** Of each mistake; few in every build, where only mistakes are planted that few seeds find. */
    private static final int MOST_SEEDS = Integer.getInteger("stead.mutant.seeds", 0);

    private static final int FEW_SEEDS = 150;
    private static final List<String> EASY = List.of("no fsync", "replies not recorded");

    @Test
    void eachIsCaught(@TempDir Path work) throws IOException {
        long first = Long.getLong("stead.seed", 1);
        Path project = Path.of(System.getProperty("stead.home"));
        List<String> missed = new ArrayList<>();
        for (Mutant mutant : Mutants.ALL) {
            if (MOST_SEEDS == 0 && !EASY.contains(mutant.name())) {
                continue;
            }
            Mutant.Seeds seeds = mutant.load(project, work);
            int most = MOST_SEEDS == 0 ? FEW_SEEDS : MOST_SEEDS;
            Optional<String> caught = Optional.empty();
            int tried = 0;
            while (caught.isEmpty() && tried < most) {
                caught = Optional.of(seeds.violation(first + tried)).filter(what -> !what.isEmpty());
                tried++;
            }
            System.out.println("| " + mutant.name() + " | " + (caught.isPresent() ? tried : "none of " + tried) + " | "
                    + caught.map(what -> what.lines().findFirst().orElse("")).orElse("") + " |");
            if (caught.isEmpty()) {
                missed.add(mutant.name());
            }
        }
        assertThat(missed).as("mistakes that no seed from %s on found", first).isEmpty();
    }

    @Test
    void aSoundOneIsSound(@TempDir Path work) throws IOException {
        Mutant none = new Mutant("none", List.of());
        assertThat(none.load(Path.of(System.getProperty("stead.home")), work).violation(1))
                .isEmpty();
    }
}
