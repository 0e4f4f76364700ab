package io.steadfs.mds.outbox;

import io.steadfs.handle.Handle;

/**
 * Tells another shard what happened on this shard to one of the other shard's objects. A shard may receive the same
 * notice twice without harm.
 *
 * @param group group of the directory of a linked file; empty for other kinds
 */
public record Notice(Kind kind, Handle object, String group) {
    /**
     * A metafile that was made without a name now has a name.
     *
     * @param group group of the directory that holds the name
     */
    public static Notice linked(Handle file, String group) {
        return new Notice(Kind.LINKED_FILE, file, group);
    }

    public Notice(Kind kind, Handle object) {
        this(kind, object, "");
    }

    /** Kinds of notices. The numbers are in keys of the table and are never reused. */
    public enum Kind {
        /** A metafile lost its name. */
        UNLINKED_FILE(1),
        /** A directory was cut off from the namespace together with everything below it. */
        CUT_TREE(2),
        /** A metafile that was made without a name now has a name. */
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

    /** The shard that receives the notice. */
    public int shard() {
        return object.shard();
    }
}
