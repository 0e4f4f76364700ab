package io.steadfs.mds.pipeline;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Thrown by a decision or query that cannot go on without answers to some needs. The code that runs the decision asks
 * for the answers. Then the code runs the decision again from the beginning. A need is ordinary, so the exception
 * carries no stack trace.
 */
public final class Missing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Set<Need> needs;

    public Missing(Set<Need> needs) {
        super("needs " + needs, null, false, false);
        if (needs.isEmpty()) {
            throw new IllegalArgumentException("nothing is missing");
        }
        this.needs = Collections.unmodifiableSet(new LinkedHashSet<>(needs));
    }

    public Set<Need> needs() {
        return needs;
    }
}
