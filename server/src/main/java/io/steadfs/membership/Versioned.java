package io.steadfs.membership;

/** What a node held, and the version to compare with when it is replaced. */
record Versioned<T>(T value, int version) {}
