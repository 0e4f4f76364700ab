package io.steadfs.lab.bench;

import io.steadfs.cli.protocol.Protocol;
import io.steadfs.client.create.CreateOptions;
import java.util.List;

/**
 * What to measure.
 *
 * @param protocols in turn, at least one
 * @param clients threads, each with a client and a session of its own
 * @param files of each client, with each protocol
 * @param rounds in which each protocol makes its files
 * @param bytes of each file
 * @param shared all clients in one directory; else each in one of its own
 * @param warmUp files of each client before the clock starts
 * @param width columns of each file; 0 = the cluster's default
 * @param stripSize bytes; 0 = the cluster's default
 */
record CreatePlan(
        List<Protocol> protocols,
        int clients,
        int files,
        int rounds,
        int bytes,
        boolean shared,
        int warmUp,
        int width,
        int stripSize) {
    CreatePlan {
        protocols = List.copyOf(protocols);
        atLeast(1, rounds, "--rounds");
        atLeast(1, clients, "--clients");
        atLeast(1, files, "--files");
        atLeast(0, bytes, "--bytes");
        atLeast(0, warmUp, "--warm-up");
        atLeast(0, width, "--width");
        atLeast(0, stripSize, "--strip-size");
        if (rounds > files) {
            throw new IllegalArgumentException("--rounds " + rounds + " is more than --files " + files);
        }
    }

    /** Files of each client in a round, of rounds from 0. */
    int filesOfRound(int round) {
        return files / rounds + (round < files % rounds ? 1 : 0);
    }

    private static void atLeast(int least, int value, String option) {
        if (value < least) {
            throw new IllegalArgumentException(option + " " + value + " is less than " + least);
        }
    }

    CreateOptions options() {
        return CreateOptions.DEFAULT.withLayout(width, stripSize);
    }

    long allFiles() {
        return (long) clients * files;
    }
}
