package io.steadfs.it.model;

import io.steadfs.client.SteadFs;
import io.steadfs.client.write.FileWriter;
import java.util.HashMap;
import java.util.Map;

/** One caller on one file system, with the files that it is writing. */
public final class Participant {
    /** Files that one caller writes at a time. */
    static final int SLOTS = 4;

    private final SteadFs fs;
    private final Map<Integer, FileWriter> writers = new HashMap<>();

    public Participant(SteadFs fs) {
        this.fs = fs;
    }

    SteadFs fs() {
        return fs;
    }

    Map<Integer, FileWriter> writers() {
        return writers;
    }
}
