package io.steadfs.lab.bench.compare.cold;

import java.util.List;

/**
 * What one client does. All its threads together do at least {@link #MEASURED} operations of one work, each thread the
 * same number.
 *
 * @param ground absolute path of the folder that the client works in; clients of other grounds do not meet
 * @param work what an operation is
 * @param threads number of threads of the client; at least 1
 * @param turn number of the client among all clients of the same system, ground, work and number of threads; 0 for the
 *     first
 */
public record ColdTask(String ground, ColdWork work, int threads, int turn) {
    /** Number of operations that are measured. Further operations of a thread do not count. */
    public static final int MEASURED = 1000;

    /** Number of words that tell a task. */
    static final int ARGUMENTS = 4;

    /** Number of operations of each thread. */
    int operationsOfThread() {
        return (MEASURED + threads - 1) / threads;
    }

    /** Number of operations of all threads together. */
    int operations() {
        return operationsOfThread() * threads;
    }

    /** The words that tell this task to another process. */
    List<String> arguments() {
        return List.of(ground, work.name(), Integer.toString(threads), Integer.toString(turn));
    }

    /** Reads the words of {@link #arguments}. */
    static ColdTask parse(List<String> arguments) {
        return new ColdTask(
                arguments.get(0),
                ColdWork.valueOf(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Integer.parseInt(arguments.get(3)));
    }
}
