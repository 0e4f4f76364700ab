package io.steadfs.it.simulation;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;

/**
 * One seed as a whole; the door for {@link Mutant}, through which only Java's own types pass. As a program, prints the
 * fingerprint of each seed that is an argument.
 */
public final class SeedRun {
    static final String FINGERPRINT = "fingerprint ";

    static {
        // Servers that are killed all the time have much to say.
        Configurator.setRootLevel(Level.OFF);
    }

    private SeedRun() {}

    public static void main(String[] seeds) {
        for (String seed : seeds) {
            System.out.println(FINGERPRINT + of(Long.parseLong(seed)).fingerprint());
        }
    }

    static Simulation.Result of(long seed) {
        return of(Plan.of(seed));
    }

    /** The run of a plan, with the crashes of its seed. */
    static Simulation.Result of(Plan plan) {
        return Simulation.run(plan, CrashPoints.Arming.of(plan.seed()));
    }

    /** The run of a seed beside which the file system is checked all the time. */
    static Simulation.Result checked(long seed) {
        return Simulation.run(Plan.of(seed), CrashPoints.Arming.of(seed), true);
    }

    /** The run of a seed with one crash more. */
    static Simulation.Result of(long seed, CrashPoints.Crash crash) {
        return Simulation.run(Plan.of(seed), CrashPoints.Arming.of(seed).and(crash));
    }

    /** What is wrong after the run of a seed; empty if nothing is. */
    public static String violation(long seed) {
        return of(seed).violation().orElse("");
    }

    /** The same beside checks of the file system. */
    public static String violationWithChecks(long seed) {
        return checked(seed).violation().orElse("");
    }
}
