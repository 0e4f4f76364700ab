package io.steadfs.it.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prometheus' text format, read strictly:
 *
 * <pre>
 * # HELP name sentence
 * # TYPE name counter|gauge|histogram
 * name{label="value",...} number
 * </pre>
 *
 * @param types by name
 * @param helps by name
 * @param values by name with labels, as they were read
 */
record Exposition(Map<String, String> types, Map<String, String> helps, Map<String, Double> values) {
    private static final String NAME = "[a-zA-Z_][a-zA-Z0-9_]*";
    private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") (.+)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram)");
    private static final String LABEL = NAME + "=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern VALUE =
            Pattern.compile("((" + NAME + ")\\{" + LABEL + "(?:," + LABEL + ")*\\}) ([-+.eE0-9]+)");

    /** @throws AssertionError naming a line that is none of these, or a value without help and type before it */
    static Exposition parse(String text) {
        Exposition read = new Exposition(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line does not end");
        }
        text.lines().forEach(read::line);
        return read;
    }

    private void line(String line) {
        Matcher help = HELP.matcher(line);
        Matcher type = TYPE.matcher(line);
        Matcher value = VALUE.matcher(line);
        if (help.matches()) {
            once(helps, help.group(1), help.group(2));
        } else if (type.matches()) {
            once(types, type.group(1), type.group(2));
        } else if (value.matches()) {
            String metric = metric(value.group(2));
            if (!types.containsKey(metric) || !helps.containsKey(metric)) {
                throw new AssertionError("a value before the help and the type of its metric: " + line);
            }
            once(values, value.group(1), Double.valueOf(value.group(3)));
        } else {
            throw new AssertionError("none of the format's lines: " + line);
        }
    }

    /** A histogram's values have names of their own. */
    private String metric(String name) {
        String cut = name.replaceFirst("_(bucket|sum|count)$", "");
        return "histogram".equals(types.get(cut)) ? cut : name;
    }

    private static <V> void once(Map<String, V> all, String name, V value) {
        if (all.put(name, value) != null) {
            throw new AssertionError(name + " is there twice");
        }
    }

    /** Of all values of the metric that have these labels. */
    double sum(String metric, String... labels) {
        return values.entrySet().stream()
                .filter(value -> value.getKey().startsWith(metric + "{"))
                .filter(value -> Stream.of(labels).allMatch(value.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
