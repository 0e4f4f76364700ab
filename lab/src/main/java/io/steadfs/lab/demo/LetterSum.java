package io.steadfs.lab.demo;

/**
 * Sums over all words that begin with one letter.
 *
 * @param distinct number of different words
 * @param words number of words, including repetitions
 * @param fingerprint sum of each word's CRC-32 multiplied by the word's count; shows whether each word has the right
 *     count
 */
record LetterSum(long distinct, long words, long fingerprint) {
    LetterSum plus(LetterSum other) {
        return new LetterSum(distinct + other.distinct, words + other.words, fingerprint + other.fingerprint);
    }
}
