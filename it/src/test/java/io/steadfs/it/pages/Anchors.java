package io.steadfs.it.pages;

import io.steadfs.pages.Page;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The anchors that GitHub makes of a page's headings. */
final class Anchors {
    private Anchors() {}

    static Set<String> of(Page page) {
        Set<String> anchors = new TreeSet<>();
        Map<String, Integer> times = new HashMap<>();
        for (String heading : page.headings()) {
            String anchor = anchor(heading);
            int before = times.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    /** In small letters, without marks but hyphens and underscores, with a hyphen for each space. */
    static String anchor(String heading) {
        String text = heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
        return text.replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "").replace(' ', '-');
    }
}
