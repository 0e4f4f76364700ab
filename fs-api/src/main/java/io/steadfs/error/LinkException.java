package io.steadfs.error;

/**
 * Says that a path goes through a symbolic link: {@link FsError#UNRESOLVED_LINK}. Whoever asked goes on along the
 * link's target.
 */
public final class LinkException extends FsException {
    private static final long serialVersionUID = 1L;

    private final String target;
    private final String rest;
    private final boolean ofTarget;

    /**
     * @param target the link's target, as its maker wrote it
     * @param rest the names of the path behind the link, joined by '/'; empty if the link is the last name
     * @param ofTarget whether the path is that of a rename's target
     */
    public LinkException(String message, String target, String rest, boolean ofTarget) {
        super(FsError.UNRESOLVED_LINK, message);
        this.target = target;
        this.rest = rest;
        this.ofTarget = ofTarget;
    }

    private LinkException(LinkException other) {
        super(FsError.UNRESOLVED_LINK, other.words(), other);
        this.target = other.target;
        this.rest = other.rest;
        this.ofTarget = other.ofTarget;
    }

    /** The same, with the stack trace of this thread, and this exception as its cause. */
    public LinkException again() {
        return new LinkException(this);
    }

    /** The link's target, as its maker wrote it. */
    public String target() {
        return target;
    }

    /** The names of the path behind the link, joined by '/'. */
    public String rest() {
        return rest;
    }

    /** Whether the path with the link is that of a rename's target. */
    public boolean isOfTarget() {
        return ofTarget;
    }
}
