package io.steadfs.lab.bench.lookup;

/**
 * The messages of an operation at a depth, looked up in one way.
 *
 * @param depth names in the path of what the operation is about
 * @param lookup value of stead.lookup
 * @param cold the first operation of a new client
 * @param warm another one of the same client in the same directory
 */
record LookupRow(int shards, int depth, LookupOperation operation, String lookup, LookupCount cold, LookupCount warm) {}
