package io.steadfs.cli.bench;

import io.steadfs.client.CreateOptions;

/**
 * What to measure.
 *
 * @param clients threads, each with a client and a session of its own
 * @param files of each client
 * @param bytes of each file
 * @param shared all clients in one directory; else each in one of its own
 * @param warmUp files of each client before the clock starts
 * @param width columns of each file; 0 = the cluster's default
 * @param stripSize bytes; 0 = the cluster's default
 */
record CreatePlan(
        Protocol protocol, int clients, int files, int bytes, boolean shared, int warmUp, int width, int stripSize) {
    CreatePlan {
        atLeast(1, clients, "--clients");
        atLeast(1, files, "--files");
        atLeast(0, bytes, "--bytes");
        atLeast(0, warmUp, "--warm-up");
        atLeast(0, width, "--width");
        atLeast(0, stripSize, "--strip-size");
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
