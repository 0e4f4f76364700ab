package io.steadfs.membership;

/** Says that the content of a node or file is not as SteadFS servers write it. */
public final class UnreadableNodeException extends MembershipException {
    private static final long serialVersionUID = 1L;

    UnreadableNodeException(String message) {
        super(message);
    }

    UnreadableNodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
