package io.steadfs.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Draws import rules into the lines of a page. The page keeps its words about a module or a room, and the order of its rows. What a module
 * or a room imports comes from the rules. Lines that are about no module and no room stay as they are.
 */
final class DrawnRules {
    private static final String ALL_ABOVE = "all of the above";
    private static final String NOTHING = "imports nothing of ours";

    /** A line of a picture, such as {@code mds   metadata server   → fs-api, server}. */
    private static final Pattern LINE =
            Pattern.compile("(?<words>(?<name>[a-z-]+(/[a-z-]+)?) {2,}.*? +)(→ (?<imports>.*)|" + NOTHING + ")");

    /** A row of a table whose first cell begins with a name and whose last cell has the imports. */
    private static final Pattern ROW =
            Pattern.compile("(?<words>\\| `(?<name>[a-z-]+(/[a-z-]+)?)` \\| .* \\|)(?<imports>[^|]*)\\|");

    private final Map<String, Set<String>> rules;

    /** The things above the present line that have a rule. */
    private final Set<String> above = new LinkedHashSet<>();

    /** @param rules each thing, and the things that it may import */
    DrawnRules(Map<String, Set<String>> rules) {
        this.rules = rules;
    }

    /** Draws the picture of modules. A module's name in the rules is its folder, the last part of its path. */
    List<String> picture(List<String> lines) {
        List<String> drawn = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches() || !rules.containsKey(folder(matcher.group("name")))) {
                drawn.add(line);
                continue;
            }
            String now = matcher.group("imports") == null ? "" : matcher.group("imports");
            List<String> items = items(folder(matcher.group("name")), lines, now);
            items.addAll(foreign(now));
            drawn.add(matcher.group("words") + (items.isEmpty() ? NOTHING : "→ " + String.join(", ", items)));
        }
        return drawn;
    }

    /** Draws a table of modules. Rows of modules that no rule knows stay as they are. */
    List<String> tableOfModules(List<String> lines) {
        return table(lines, false);
    }

    /** Draws a table of rooms. A row of a room that no rule knows goes. A room without a row gets one, without words. */
    List<String> tableOfRooms(List<String> lines) {
        List<String> drawn = table(lines, true);
        Set<String> missing = new TreeSet<>(rules.keySet());
        missing.removeAll(above);
        for (String room : missing) {
            drawn.add("| `" + room + "` | |" + cell(items(room, lines, "")) + "|");
        }
        return drawn;
    }

    private List<String> table(List<String> lines, boolean onlyRules) {
        List<String> drawn = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = ROW.matcher(line);
            if (!matcher.matches()) {
                drawn.add(line);
            } else if (rules.containsKey(folder(matcher.group("name")))) {
                String now = matcher.group("imports");
                List<String> items = items(folder(matcher.group("name")), lines, now);
                boolean isSame = items.equals(List.of(ALL_ABOVE));
                drawn.add(matcher.group("words") + (isSame ? now : cell(items)) + "|");
            } else if (!onlyRules) {
                drawn.add(line);
            }
        }
        return drawn;
    }

    private static String cell(List<String> items) {
        return items.isEmpty()
                ? " "
                : items.stream().map(item -> "`" + item + "`").collect(Collectors.joining(", ", " ", " "));
    }

    /** The imports of a thing, in the order of the page's rows. The page may say that these are all of the above, if that is so. */
    private List<String> items(String name, List<String> lines, String now) {
        Set<String> allowed = rules.getOrDefault(name, Set.of());
        boolean isAll = now.strip().startsWith(ALL_ABOVE) && allowed.equals(above);
        above.add(name);
        if (isAll) {
            return new ArrayList<>(List.of(ALL_ABOVE));
        }
        Set<String> ordered = new LinkedHashSet<>(order(lines));
        ordered.retainAll(allowed);
        Set<String> rest = new TreeSet<>(allowed);
        rest.removeAll(ordered);
        ordered.addAll(rest);
        return new ArrayList<>(ordered);
    }

    /** All things in the order of their rows. */
    private static List<String> order(List<String> lines) {
        List<String> names = new ArrayList<>();
        for (String line : lines) {
            for (Pattern pattern : List.of(LINE, ROW)) {
                Matcher matcher = pattern.matcher(line);
                if (matcher.matches()) {
                    names.add(folder(matcher.group("name")));
                }
            }
        }
        return names;
    }

    /** What a line says of things that are not ours, such as Spark. */
    private List<String> foreign(String imports) {
        return Arrays.stream(imports.split(", "))
                .filter(item -> !item.isBlank() && !item.equals(ALL_ABOVE) && !rules.containsKey(item))
                .toList();
    }

    private static String folder(String module) {
        return module.substring(module.indexOf('/') + 1);
    }
}
