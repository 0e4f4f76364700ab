package io.steadfs.lab.bench.figure;

import io.steadfs.lab.bench.word.Words;

/** How clients look up paths: the values of stead.lookup. */
enum Lookup {
    COMPONENT,
    DIRECT;

    @Override
    public String toString() {
        return Words.of(this);
    }
}
