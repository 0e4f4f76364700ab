/**
 * Power loss of real servers. A file system of our own, which forgets on demand what was not synced, is mounted in a
 * namespace; server processes keep their data in it.
 *
 * <pre>
 *  test's JVM ──┬─ Unix socket ─► DiskProcess: FuseServer ─► Disk ─► Life ─► StoredDirectory, StoredFile ─► FileBytes
 *   Scribe      │                      ▲
 *   Ledger      │                  /dev/fuse
 *   Audit       │                      ▲
 *               └─ nsenter ─► mds-1 ───┤
 *                             io-1  ───┘
 * </pre>
 */
@NullMarked
package io.steadfs.it.power;

import org.jspecify.annotations.NullMarked;
