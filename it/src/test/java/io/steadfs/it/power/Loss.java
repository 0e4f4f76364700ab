package io.steadfs.it.power;

import java.util.ArrayList;
import java.util.List;

/**
 * What one power loss took from a disk, and what it happened to leave.
 *
 * @param droppedBytes that readers saw before and that are other ones, or gone
 * @param droppedEntries changes of directories that are undone: files made, removed, renamed
 * @param keptPages of files, not synced, that are there all the same
 * @param keptEntries changes of directories, not synced, that are there all the same
 */
record Loss(long droppedBytes, long droppedEntries, long keptPages, long keptEntries) {
    static final Loss NOTHING = new Loss(0, 0, 0, 0);

    /** Adds up. */
    static final class Count {
        long droppedBytes;
        long droppedEntries;
        long keptPages;
        long keptEntries;
        /** The dropped changes of directories, for people. */
        final List<String> droppedNames = new ArrayList<>();

        Loss total() {
            return new Loss(droppedBytes, droppedEntries, keptPages, keptEntries);
        }
    }

    Loss plus(Loss other) {
        return new Loss(
                droppedBytes + other.droppedBytes,
                droppedEntries + other.droppedEntries,
                keptPages + other.keptPages,
                keptEntries + other.keptEntries);
    }

    /** One line of text: the four numbers. */
    String encode() {
        return droppedBytes + " " + droppedEntries + " " + keptPages + " " + keptEntries;
    }

    static Loss decode(String line) {
        String[] numbers = line.split(" ", -1);
        return new Loss(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]));
    }
}
