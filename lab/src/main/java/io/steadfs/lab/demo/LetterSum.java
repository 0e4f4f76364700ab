package io.steadfs.lab.demo;

/**
 * Sums over all words that begin with one letter.
 *
 * @param distinct number of different words
 * @param words number of words, including repetitions
 * @param fingerprint sum over all words of the word's CRC-32 times the word's count; if words swap their counts, the
 *     fingerprint changes
 */
record LetterSum(long distinct, long words, long fingerprint) {
    LetterSum plus(LetterSum other) {
        return new LetterSum(distinct + other.distinct, words + other.words, fingerprint + other.fingerprint);
    }
}
