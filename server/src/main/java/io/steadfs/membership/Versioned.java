package io.steadfs.membership;

/** A node's content and version. A compare-and-set of the node needs the version. */
record Versioned<T>(T value, int version) {}
