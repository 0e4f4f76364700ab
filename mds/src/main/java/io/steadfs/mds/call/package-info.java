/**
 * The entrance for clients. This package authenticates callers, answers each kind of request, and gives each recorded
 * reply only once. It also finishes commands that need other shards.
 */
@NullMarked
package io.steadfs.mds.call;

import org.jspecify.annotations.NullMarked;
