package io.steadfs.it.simulation;

import io.steadfs.config.Settings;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import java.util.random.RandomGenerator;

/**
 * What all processes of a simulation share.
 *
 * @param spreads whether clients spread directories over several partitions
 */
record Surroundings(
        SimulatedTime time,
        MemoryNetwork network,
        SimulatedMembership membership,
        CrashPoints points,
        RandomGenerator random,
        Settings settings,
        boolean spreads) {
    /** Clocks of a new process agree with nobody's. */
    SimulatedProcess process(String name, long wallOffsetMillis) {
        return new SimulatedProcess(name, time, random.nextLong(1L << 50), wallOffsetMillis);
    }
}
