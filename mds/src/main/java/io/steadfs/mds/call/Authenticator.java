package io.steadfs.mds.call;

import io.steadfs.error.FsException;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.wire.proto.RequestHeader;

/** Decides whether to trust the caller that a request names. */
@FunctionalInterface
public interface Authenticator {
    /**
     * @param peer address that the request came from
     * @throws FsException PERMISSION_DENIED if the caller is not trusted
     */
    Principal authenticate(RequestHeader header, String peer) throws FsException;
}
