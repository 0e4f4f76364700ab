package io.steadfs.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Inputs that are text: lines that a reader would take, spoiled, and plain noise. As bytes they are UTF-16, so that half a
 * surrogate pair is among them. */
public final class Texts {
    private static final String LETTERS = "abz019_-.:/[]{}\"'\\,=$#%+*? \t\n\r\0\u00e4\u20ac\ud800\udc00\uffff";

    private Texts() {}

    /** Spoils one of the good texts. */
    public static Function<RandomGenerator, byte[]> like(String... good) {
        List<byte[]> bytes = List.of(good).stream().map(text -> bytes(text)).toList();
        return random -> switch (random.nextInt(8)) {
            case 0 -> Bits.noise(random);
            case 1 -> bytes(letters(random));
            case 2 -> Bits.spoiled(random, bytes);
            default -> bytes(spoiled(random, good));
        };
    }

    /** The same in UTF-8, as it would stand in a file. */
    public static Function<RandomGenerator, byte[]> inFiles(String... good) {
        return like(good).andThen(input -> of(input).getBytes(StandardCharsets.UTF_8));
    }

    private static String letters(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(30) == 0 ? 3000 : 40); i > 0; i--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static String spoiled(RandomGenerator random, String[] good) {
        String text = good[random.nextInt(good.length)];
        for (int i = random.nextInt(4); i > 0; i--) {
            int from = random.nextInt(text.length() + 1);
            int to = from + random.nextInt(Math.min(8, text.length() - from) + 1);
            String middle = switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> text.substring(from, to).repeat(1 << random.nextInt(10));
                case 2 -> Long.toString(Bits.edge(random));
                case 3 -> letters(random);
                case 4 -> good[random.nextInt(good.length)];
                default -> String.valueOf(LETTERS.charAt(random.nextInt(LETTERS.length())));
            };
            text = text.substring(0, from) + middle + text.substring(to);
        }
        return text;
    }

    /** The text of an input. */
    public static String of(byte[] input) {
        StringBuilder text = new StringBuilder(input.length / 2);
        for (int i = 0; i + 1 < input.length; i += 2) {
            text.append((char) ((input[i] & 0xff) << 8 | (input[i + 1] & 0xff)));
        }
        return text.toString();
    }

    /** The input of a text. */
    public static byte[] bytes(String text) {
        byte[] bytes = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            bytes[2 * i] = (byte) (text.charAt(i) >> 8);
            bytes[2 * i + 1] = (byte) text.charAt(i);
        }
        return bytes;
    }
}
