package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Groups the names that are searched together. */
final class Places {
    /** @param number number of the name in its group */
    record Place(int group, int number) {}

    private final Map<String, Place> places = new HashMap<>();
    private final List<List<String>> groups = new ArrayList<>();

    private Places(Collection<? extends Collection<String>> all) {
        for (Collection<String> group : all) {
            List<String> names = List.copyOf(group);
            for (int number = 0; number < names.size(); number++) {
                places.put(names.get(number), new Place(groups.size(), number));
            }
            groups.add(names);
        }
    }

    /** Makes a group of each name. */
    static Places apart(Collection<String> names) {
        return new Places(names.stream().map(List::of).toList());
    }

    /** Puts names into one group if renames connect the names. */
    static Places joint(Collection<String> names, List<Operation> operations) {
        Map<String, String> leader = new HashMap<>();
        names.forEach(name -> leader.put(name, name));
        for (Operation operation : operations) {
            if (operation.action() instanceof Action.Rename rename
                    && leader.containsKey(rename.path())
                    && leader.containsKey(rename.target())) {
                leader.put(leader(leader, rename.path()), leader(leader, rename.target()));
            }
        }
        Map<String, TreeSet<String>> groups = new LinkedHashMap<>();
        for (String name : names) {
            groups.computeIfAbsent(leader(leader, name), key -> new TreeSet<>()).add(name);
        }
        return new Places(groups.values());
    }

    private static String leader(Map<String, String> leaders, String name) {
        String one = name;
        for (String up = leaders.getOrDefault(one, one); !up.equals(one); up = leaders.getOrDefault(one, one)) {
            one = up;
        }
        return one;
    }

    /** Returns the place of a name; empty = the name is not checked. */
    Optional<Place> of(String path) {
        return Optional.ofNullable(places.get(path));
    }

    List<List<String>> groups() {
        return groups;
    }
}
