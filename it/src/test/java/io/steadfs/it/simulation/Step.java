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
record Step(Verb verb, int name, int other, RenameMode mode, int bytes, boolean sync, int parts, long pauseMillis) {
    enum Verb {
        MKDIR,
        CREATE,
        REPLACE,
        APPEND,
        /** Takes the file away from whoever writes it. */
        RECOVER,
        DELETE,
        RENAME,
        STAT,
        READ,
        /** Of a tree where no order is checked, only that nothing breaks. */
        WILD_MAKE,
        WILD_MOVE,
        WILD_DELETE,
        WILD_LIST;

        boolean isWild() {
            return switch (this) {
                case WILD_MAKE, WILD_MOVE, WILD_DELETE, WILD_LIST -> true;
                default -> false;
            };
        }
    }

    @Override
    public String toString() {
        String what = verb + " " + Names.path(name);
        return switch (verb) {
            case RENAME -> what + " to " + Names.path(other) + " " + mode;
            case CREATE, REPLACE, APPEND ->
                what + " with " + parts + " times " + bytes + " bytes" + (sync ? ", synced" : "");
            case WILD_MAKE, WILD_DELETE, WILD_LIST -> verb + " " + Names.wild(name);
            case WILD_MOVE -> verb + " " + Names.wild(name) + " to " + Names.wild(other);
            default -> what;
        };
    }
}
