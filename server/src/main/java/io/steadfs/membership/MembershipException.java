package io.steadfs.membership;

import java.io.IOException;

/** A server may not take part, or cannot now. The message names both values that disagree. */
public sealed class MembershipException extends IOException permits UnreadableNodeException {
    private static final long serialVersionUID = 1L;

    public MembershipException(String message) {
        super(message);
    }

    public MembershipException(String message, Throwable cause) {
        super(message, cause);
    }
}
