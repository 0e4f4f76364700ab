package io.steadfs.membership;

import java.util.UUID;

/**
 * The content of the file {@code identity.json} in a data directory, which says to which server the directory belongs.
 *
 * @param fileSystem the identity of the file system
 * @param server the {@link ServerId} as text
 * @param store an id chosen at random at the first use of the directory. A replaced disk gets another id
 */
public record StoreIdentity(UUID fileSystem, String server, UUID store) {}
