package io.steadfs.it.rules;

import java.util.Arrays;
import java.util.List;

/**
 * One row of a table.
 *
 * @param operation the heading of the table
 * @param words the rule for people
 * @param before what is there before
 * @param who makes the calls
 * @param calls the calls, of which the last one is judged
 * @param answer what the last call answers
 * @param after what is there after it
 */
record Rule(String operation, String words, State before, String who, List<Call> calls, String answer, State after) {
    private static final int CELLS = 6;

    /** @param rows one rule a line; empty lines count for nothing */
    static List<Rule> table(String operation, String rows) {
        return rows.lines()
                .filter(row -> !row.isBlank())
                .map(row -> of(operation, row))
                .toList();
    }

    private static Rule of(String operation, String row) {
        List<String> cells =
                Arrays.stream(row.split("\\|", -1)).map(String::strip).toList();
        if (cells.size() != CELLS) {
            throw new IllegalArgumentException(CELLS + " cells are wanted: " + row);
        }
        String who = cells.get(2);
        State before = State.of(cells.get(1));
        State after = cells.get(5).equals("same") ? before : State.of(cells.get(5));
        return new Rule(operation, cells.get(0), before, who, Call.all(who, cells.get(3)), cells.get(4), after);
    }

    @Override
    public String toString() {
        return operation + ": " + words;
    }
}
