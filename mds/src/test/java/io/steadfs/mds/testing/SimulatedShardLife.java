package io.steadfs.mds.testing;

import io.steadfs.mds.ShardService;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.server.Life;
import io.steadfs.wire.proto.StatusReply;
import java.util.Optional;

/** A shard over a store in memory, which whoever began this life opens anew for the next one, and steps meanwhile. */
public record SimulatedShardLife(ShardService service) implements Life {
    @Override
    public RequestHandler door() {
        return service.door();
    }

    @Override
    public Optional<End> end() {
        return service.core()
                .stopped()
                .map(why -> new End(why, service.core().storeFailure().isPresent()));
    }

    @Override
    public Optional<StatusReply> account() {
        return Optional.of(service.status());
    }

    @Override
    public void report(StatusReply.Builder status) {}

    @Override
    public void close() {
        service.stop();
    }
}
