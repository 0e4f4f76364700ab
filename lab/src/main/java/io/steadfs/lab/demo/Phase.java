package io.steadfs.lab.demo;

import java.util.SortedMap;

/**
 * A part of the demo and what it took.
 *
 * @param messages requests that arrived at the servers meanwhile, by kind
 */
record Phase(String name, long millis, SortedMap<String, Long> messages) {}
