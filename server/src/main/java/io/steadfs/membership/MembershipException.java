package io.steadfs.membership;

import java.io.IOException;

/**
 * Says that a server may not join the file system, or cannot join at present. If two values disagree, the message names
 * both.
 */
public sealed class MembershipException extends IOException permits UnreadableNodeException {
    private static final long serialVersionUID = 1L;

    public MembershipException(String message) {
        super(message);
    }

    public MembershipException(String message, Throwable cause) {
        super(message, cause);
    }
}
