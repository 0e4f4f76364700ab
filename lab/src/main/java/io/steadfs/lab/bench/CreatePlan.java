package io.steadfs.lab.bench;

import io.steadfs.cli.protocol.Protocol;
import io.steadfs.client.create.CreateOptions;
import java.util.List;

/**
 * What a create benchmark measures.
 *
 * @param protocols the protocols that take turns; at least one
 * @param clients number of clients; each client has a thread and a session of its own
 * @param files number of files that each client creates with each protocol, without the warm-up
 * @param rounds number of rounds of each protocol; the files are divided among the rounds
 * @param bytes length of each file in bytes
 * @param shared whether all clients create files in one directory; if not, each client has a directory of its own
 * @param expectedFiles how many files the shared directory is said to get; 0 = nothing is said
 * @param warmUp number of files that each client creates with each protocol before the measurement begins
 * @param width number of columns of each file; 0 = the cluster's default
 * @param stripSize length of a strip in bytes; 0 = the cluster's default
 */
record CreatePlan(
        List<Protocol> protocols,
        int clients,
        int files,
        int rounds,
        int bytes,
        boolean shared,
        long expectedFiles,
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
        if (expectedFiles < 0 || (expectedFiles > 0 && !shared)) {
            throw new IllegalArgumentException("--expected-files " + expectedFiles
                    + " is less than 0, or the clients have directories of their own");
        }
        atLeast(0, width, "--width");
        atLeast(0, stripSize, "--strip-size");
        if (rounds > files) {
            throw new IllegalArgumentException("--rounds " + rounds + " is more than --files " + files);
        }
    }

    /** Number of files that each client creates in the given round. Rounds are numbered from 0. */
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
