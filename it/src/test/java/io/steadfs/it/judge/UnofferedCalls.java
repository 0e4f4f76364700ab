package io.steadfs.it.judge;

import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;

/** What SteadFS does not offer, and HDFS does. */
final class UnofferedCalls {
    private static final List<AclEntry> ACL = AclEntry.parseAclSpec("user:alice:rwx", true);

    private UnofferedCalls() {}

    static List<Kind> all() {
        return List.of(
                Kind.of(1, "getAclStatus", (a, p) -> a.files().getAclStatus(p)),
                Kind.of(1, "modifyAclEntries", (a, p) -> {
                    a.files().modifyAclEntries(p, ACL);
                    return null;
                }),
                Kind.of(1, "removeAcl", (a, p) -> {
                    a.files().removeAcl(p);
                    return null;
                }),
                Kind.of(1, "setAcl", (a, p) -> {
                    a.files().setAcl(p, ACL);
                    return null;
                }),
                Kind.of(1, "removeAclEntries", (a, p) -> {
                    a.files().removeAclEntries(p, ACL);
                    return null;
                }),
                Kind.of(1, "removeDefaultAcl", (a, p) -> {
                    a.files().removeDefaultAcl(p);
                    return null;
                }),
                Kind.of(1, "fc.removeAcl", (a, p) -> {
                    a.context().removeAcl(p);
                    return null;
                }),
                Kind.of(
                        1,
                        "getAllStoragePolicies",
                        (a, p) -> a.files().getAllStoragePolicies().size()),
                Kind.of(1, "satisfyStoragePolicy", (a, p) -> {
                    a.files().satisfyStoragePolicy(p);
                    return null;
                }),
                Kind.of(
                        1,
                        "createMultipartUploader",
                        (a, p) -> a.files().createMultipartUploader(p).build() == null),
                Kind.of(1, "createSnapshot", (a, p) -> a.files().createSnapshot(p, "s")),
                Kind.of(1, "renameSnapshot", (a, p) -> {
                    a.files().renameSnapshot(p, "s", "t");
                    return null;
                }),
                Kind.of(1, "deleteSnapshot", (a, p) -> {
                    a.files().deleteSnapshot(p, "s");
                    return null;
                }),
                Kind.of(
                        1,
                        "getStoragePolicy",
                        (a, p) -> a.files().getStoragePolicy(p).getName()),
                Kind.of(1, "setStoragePolicy", (a, p) -> {
                    a.files().setStoragePolicy(p, "HOT");
                    return null;
                }),
                Kind.of(1, "unsetStoragePolicy", (a, p) -> {
                    a.files().unsetStoragePolicy(p);
                    return null;
                }),
                Kind.of(1, "setQuota", (a, p) -> {
                    a.files().setQuota(p, 1L << 40, 1L << 50);
                    return null;
                }));
    }
}
