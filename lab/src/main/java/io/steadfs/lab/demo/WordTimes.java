package io.steadfs.lab.demo;

/** A word and how often the word occurs. */
record WordTimes(String word, long count) {
    @Override
    public String toString() {
        return word + " x " + count;
    }
}
