package io.steadfs.lab.demo;

import java.util.SortedMap;

/**
 * A part of the demo, with the time and the messages that the part took.
 *
 * @param messages requests that arrived at the servers during the part, by kind of message
 */
record Phase(String name, long millis, SortedMap<String, Long> messages) {}
