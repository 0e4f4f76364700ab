package io.steadfs.lab.demo;

import java.util.SortedMap;

/**
 * A part of the demo, with its duration and its messages.
 *
 * @param messages number of requests that arrived at the servers during the part, by kind
 */
record Phase(String name, long millis, SortedMap<String, Long> messages) {}
