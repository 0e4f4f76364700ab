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

/**
 * Finds the paths of the objects that findings are about. The paths come from the names that the check has stored in
 * its work, so no server has to be asked again.
 */
final class FindingPath {
    /**
     * The offset of the name in a dirent's key. The key begins with the directory's handle (8 bytes) and the hash (8
     * bytes).
     */
    private static final int NAME_AT = 2 * Long.BYTES;

    private static final int MOST_NAMES = 10_000;

    private FindingPath() {}

    /**
     * The path of the finding's object. The path is empty if the finding is about no object, or if the work has no path
     * to the object.
     */
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
            if (!links.get(0).isOfMap()) {
                names.addFirst(name(links.get(0).key()));
            }
            at = links.get(0).directory();
        }
        return Optional.of("/" + String.join("/", names));
    }
}
