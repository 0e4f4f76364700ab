package io.steadfs.membership;

/** The contents of a node or file are not as a server of ours writes them. */
public final class UnreadableNodeException extends MembershipException {
    private static final long serialVersionUID = 1L;

    UnreadableNodeException(String message) {
        super(message);
    }

    UnreadableNodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
