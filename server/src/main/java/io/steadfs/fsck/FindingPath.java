package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Paths of what findings are about, by the names that the check met: where no server but those that have the names need be asked. */
final class FindingPath {
    /** Directory handle 8, hash 8. */
    private static final int NAME_AT = 2 * Long.BYTES;

    private static final int MOST_NAMES = 10_000;

    private FindingPath() {}

    /** Empty where it is about none, or no way to it is known. */
    static String of(Work work, Finding finding) {
        if (finding.table() == RowTable.DIRENT
                && finding.until().isEmpty()
                && !name(finding.key()).isEmpty()) {
            return way(work, finding.other())
                    .map(parent -> (parent.equals("/") ? "" : parent) + "/" + name(finding.key()))
                    .orElse("");
        }
        Handle object = finding.object().isOwnedByShard() ? finding.object() : finding.other();
        return object.isOwnedByShard() ? way(work, object).orElse("") : "";
    }

    static String name(ByteString direntKey) {
        return direntKey.size() <= NAME_AT ? "" : direntKey.substring(NAME_AT).toString(StandardCharsets.UTF_8);
    }

    private static Optional<String> way(Work work, Handle object) {
        Deque<String> names = new ArrayDeque<>();
        Set<Handle> met = new HashSet<>();
        Handle at = object;
        while (!at.equals(Handle.ROOT)) {
            List<Links.Link> links = Links.of(work, at);
            if (links.isEmpty() || !met.add(at) || met.size() > MOST_NAMES) {
                return Optional.empty();
            }
            names.addFirst(name(links.get(0).key()));
            at = links.get(0).directory();
        }
        return Optional.of("/" + String.join("/", names));
    }
}
