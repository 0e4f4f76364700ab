package io.steadfs.membership;

/** A node's contents, with the version to compare with when they are replaced. */
record Versioned<T>(T value, int version) {}
