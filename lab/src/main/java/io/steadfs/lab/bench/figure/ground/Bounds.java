package io.steadfs.lab.bench.figure.ground;

import java.util.List;

/** Checks the values of options. Each method throws IllegalArgumentException, which names the option and its value. */
public final class Bounds {
    private static final int MOST_POINT = 200;

    private Bounds() {}

    public static void atLeast(int least, int value, String option) {
        if (value < least) {
            throw new IllegalArgumentException(option + " " + value + " is less than " + least);
        }
    }

    public static void atMost(int most, int value, String option) {
        if (value > most) {
            throw new IllegalArgumentException(option + " " + value + " is more than " + most);
        }
    }

    /** Each number once, in order. */
    public static List<Integer> points(List<Integer> points) {
        return each(points, MOST_POINT, "--points");
    }

    /** Each number once, in order; each is from 1 to the most. */
    public static List<Integer> each(List<Integer> numbers, int most, String option) {
        for (int number : numbers) {
            if (number < 1 || number > most) {
                throw new IllegalArgumentException(option + ": " + number + " is not in 1.." + most);
            }
        }
        return numbers.stream().sorted().distinct().toList();
    }
}
