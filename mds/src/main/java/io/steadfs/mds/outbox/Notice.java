package io.steadfs.mds.outbox;

import io.steadfs.handle.Handle;

/**
 * What happened here to an object of another shard. Told again and again it means the same.
 *
 * @param group of a linked file's directory; else empty
 */
public record Notice(Kind kind, Handle object, String group) {
    /** A metafile that was made without a name has one, in a directory of this group. */
    public static Notice linked(Handle file, String group) {
        return new Notice(Kind.LINKED_FILE, file, group);
    }

    public Notice(Kind kind, Handle object) {
        this(kind, object, "");
    }

    /** Numbers are in keys of the table and never reused. */
    public enum Kind {
        /** A metafile lost its name. */
        UNLINKED_FILE(1),
        /** A directory was cut off from the namespace, with all that is below it. */
        CUT_TREE(2),
        /** A metafile that was made without a name has one. */
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

    /** Shard to be told. */
    public int shard() {
        return object.shard();
    }
}
