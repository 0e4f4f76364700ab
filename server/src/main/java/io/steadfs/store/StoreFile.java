package io.steadfs.store;

/** Describes a file of a store that has rows. Callers must not change the arrays. */
public final class StoreFile {
    private final String name;
    private final String table;
    private final byte[] first;
    private final byte[] last;
    private final long bytes;
    private final String what;

    /**
     * @param table the table of the rows in the file
     * @param first the least key in the file
     * @param last the greatest key in the file
     * @param what a description of the file's damage; empty if no damage is known
     */
    public StoreFile(String name, String table, byte[] first, byte[] last, long bytes, String what) {
        this.name = name;
        this.table = table;
        this.first = first;
        this.last = last;
        this.bytes = bytes;
        this.what = what;
    }

    public StoreFile with(String wrong) {
        return new StoreFile(name, table, first, last, bytes, wrong);
    }

    public String name() {
        return name;
    }

    public String table() {
        return table;
    }

    public byte[] first() {
        return first;
    }

    public byte[] last() {
        return last;
    }

    public long bytes() {
        return bytes;
    }

    public String what() {
        return what;
    }
}
