package io.steadfs.it.simulation;

import java.util.Optional;
import java.util.Random;

/** One metadata or IO server over all its processes. */
interface SimulatedServer {
    String name();

    SimulatedMembership.ServerName id();

    /** The process that runs, if one does. */
    Optional<SimulatedProcess> process();

    void start();

    /** The power goes: the disk keeps what was synced, and of the rest what the random says. */
    void crash(Random random);

    /** Queued work that nobody was asked to do yet is put before it. After each event. */
    void drive();

    /** What it cannot go on after, if it met something that should never happen. */
    Optional<String> fault();

    /** The next commit fails, as on a broken disk, which then has it nevertheless, or not. */
    void failNextCommit(boolean keeps);

    /** Whether each commit takes long. */
    void setSlow(boolean slow);

    /** Whether nothing new can be stored. */
    void setFull(boolean full);
}
