package io.steadfs.it.simulation;

import io.steadfs.client.RenameMode;

/**
 * What a client does next. Names are numbers of {@link Names}.
 *
 * @param bytes of each part that is written
 * @param sync whether the writer asks for its bytes to be durable after each part, or only to be visible
 * @param parts that are written, with pauses between; a file is open for long where there are several
 * @param pauseMillis before it, and between parts
 */
record Step(
        IoOperation verb, int name, int other, RenameMode mode, int bytes, boolean sync, int parts, long pauseMillis) {
    enum IoOperation {
        MKDIR,
        CREATE,
        REPLACE,
        APPEND,
        /** Takes the file away from whoever writes it. */
        RECOVER,
        /** The same, and then goes on to write it. */
        TAKE,
        DELETE,
        RENAME,
        STAT,
        /** Looks at the name below the place where its directory is moved to. */
        STAT_AWAY,
        /** The name's directory is moved away, and a little later {@link #BACK}. */
        AWAY,
        BACK,
        /** Only the superuser may pass the name's directory, until it is a little later {@link #OPEN} again. */
        CLOSE,
        OPEN,
        /** The name's directory is deleted with all that is in it, and a little later made again. */
        REMOVE,
        REMAKE,
        READ,
        /** Of the name's directory. */
        LIST,
        /** Its process ends in order, and the next one goes on. */
        LEAVE,
        /** Of a tree where no order is checked, only that nothing breaks. */
        WILD_MAKE,
        WILD_CREATE,
        WILD_APPEND,
        WILD_CUT,
        WILD_READ,
        WILD_MOVE,
        WILD_DELETE,
        WILD_LIST,
        WILD_SUM,
        WILD_MODE,
        WILD_SET_XATTR,
        WILD_GET_XATTRS,
        WILD_REMOVE_XATTR,
        /** A symbolic link to another wild name. */
        WILD_LINK;

        /** Whether it only looks at a name. */
        boolean isStat() {
            return this == STAT || this == STAT_AWAY;
        }

        boolean isWild() {
            return compareTo(WILD_MAKE) >= 0;
        }
    }

    /** The step that makes good what this one did to its directory. */
    Step undoing() {
        IoOperation undone = switch (verb) {
            case AWAY -> IoOperation.BACK;
            case CLOSE -> IoOperation.OPEN;
            case REMOVE -> IoOperation.REMAKE;
            default -> throw new IllegalStateException(this + " is never undone");
        };
        return with(undone);
    }

    /** The look at a name in the directory that this step changed, which follows at once. */
    Step looking() {
        return with(verb == IoOperation.AWAY ? IoOperation.STAT_AWAY : IoOperation.STAT);
    }

    private Step with(IoOperation otherVerb) {
        return new Step(otherVerb, name, other, mode, bytes, sync, parts, pauseMillis);
    }

    @Override
    public String toString() {
        String what = verb + " " + (verb.isWild() ? Names.wild(name) : Names.path(name));
        return switch (verb) {
            case RENAME -> what + " to " + Names.path(other) + " " + mode;
            case CREATE, REPLACE, APPEND, TAKE ->
                what + " with " + parts + " times " + bytes + " bytes" + (sync ? ", synced" : "");
            case WILD_MOVE, WILD_LINK -> verb + " " + Names.wild(name) + " to " + Names.wild(other);
            case WILD_CREATE, WILD_APPEND, WILD_CUT -> verb + " " + Names.wild(name) + " with " + bytes + " bytes";
            case AWAY, BACK -> verb + " " + Names.away(name, mode);
            case STAT_AWAY -> verb + " " + Names.pathAway(name, mode);
            case CLOSE, OPEN, REMOVE, REMAKE -> verb + " " + Names.directory(name / Names.IN_DIRECTORY);
            case LEAVE -> verb.toString();
            default -> what;
        };
    }
}
