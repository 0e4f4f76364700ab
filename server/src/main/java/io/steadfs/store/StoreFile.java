package io.steadfs.store;

/** A file of a store that holds rows. The arrays must not be changed. */
public final class StoreFile {
    private final String name;
    private final String table;
    private final byte[] first;
    private final byte[] last;
    private final long bytes;
    private final String what;

    /**
     * @param table whose rows are in it
     * @param first least key in it
     * @param last greatest key in it
     * @param what is wrong with it; empty if no damage is known
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
