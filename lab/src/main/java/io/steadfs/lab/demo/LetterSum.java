package io.steadfs.lab.demo;

/**
 * The sums over all words with the same first letter.
 *
 * @param distinct number of different words
 * @param words number of words, including repetitions
 * @param fingerprint sum over all words of the word's CRC-32 times the word's count; shows whether the counts belong to
 *     the right words
 */
record LetterSum(long distinct, long words, long fingerprint) {
    LetterSum plus(LetterSum other) {
        return new LetterSum(distinct + other.distinct, words + other.words, fingerprint + other.fingerprint);
    }
}
