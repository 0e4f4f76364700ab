package io.steadfs.mds.outbox;

import io.steadfs.handle.Handle;

/**
 * Tells another shard what happened here to one of its objects. Repeating a notice does not change its meaning.
 *
 * @param group group of the directory of a linked file; else empty
 */
public record Notice(Kind kind, Handle object, String group) {
    /** A metafile that was made without a name now has one, in a directory of this group. */
    public static Notice linked(Handle file, String group) {
        return new Notice(Kind.LINKED_FILE, file, group);
    }

    public Notice(Kind kind, Handle object) {
        this(kind, object, "");
    }

    /** The numbers are in keys of the table and are never reused. */
    public enum Kind {
        /** A metafile lost its name. */
        UNLINKED_FILE(1),
        /** A directory was cut off from the namespace, with everything below it. */
        CUT_TREE(2),
        /** A metafile that was made without a name now has one. */
        LINKED_FILE(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        byte number() {
            return (byte) number;
        }

        static Kind byNumber(byte number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw new IllegalStateException("the outbox has a row of kind " + number);
        }
    }

    /** The shard to tell. */
    public int shard() {
        return object.shard();
    }
}
