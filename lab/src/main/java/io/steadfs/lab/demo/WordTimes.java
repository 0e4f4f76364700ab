package io.steadfs.lab.demo;

/** How often a word occurs. */
record WordTimes(String word, long count) {
    @Override
    public String toString() {
        return word + " x " + count;
    }
}
