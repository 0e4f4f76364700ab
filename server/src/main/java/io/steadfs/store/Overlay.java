package io.steadfs.store;

/** Changes not yet committed over the committed state; reads see both. Owned by one thread. */
public interface Overlay extends ReadView, WriteView, AutoCloseable {
    boolean isEmpty();

    @Override
    void close();
}
