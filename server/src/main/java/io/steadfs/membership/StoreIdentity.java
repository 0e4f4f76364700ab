package io.steadfs.membership;

import java.util.UUID;

/**
 * The identity of the server whose data a directory holds; the file {@code identity.json} in it.
 *
 * @param fileSystem identity of the file system
 * @param server text of the {@link ServerId}
 * @param store made when the directory was first used; a replaced disk gets another one
 */
public record StoreIdentity(UUID fileSystem, String server, UUID store) {}
