package io.steadfs.membership;

/** What a node or file holds is not what a server of ours writes. */
public final class UnreadableNodeException extends MembershipException {
    private static final long serialVersionUID = 1L;

    UnreadableNodeException(String message) {
        super(message);
    }

    UnreadableNodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
