package io.steadfs.mds.pipeline;

import java.util.Set;

/**
 * Who asks, as the authenticator believed it.
 *
 * @param superuser passes every permission check
 * @param session 0 where the request needs none
 */
public record Asker(String user, Set<String> groups, boolean superuser, long session) {
    public Asker {
        groups = Set.copyOf(groups);
    }
}
