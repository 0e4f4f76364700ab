package io.steadfs.lab.demo;

/**
 * All words of one first letter.
 *
 * @param distinct different words
 * @param words words, repetitions counted
 * @param fingerprint sum of CRC-32 of a word x its count: binds the counts to the words
 */
record LetterSum(long distinct, long words, long fingerprint) {
    LetterSum plus(LetterSum other) {
        return new LetterSum(distinct + other.distinct, words + other.words, fingerprint + other.fingerprint);
    }
}
