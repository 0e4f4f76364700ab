package io.steadfs.client;

import io.steadfs.client.call.AttributeCache;
import io.steadfs.client.call.DirectoryCache;
import io.steadfs.client.call.RetryRule;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.create.PoolOptions;
import io.steadfs.client.read.ReadOptions;
import io.steadfs.client.write.WriteOptions;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.rpc.netty.NettyOptions;
import java.util.List;
import java.util.stream.Stream;

/** Lists every configuration key that the client understands. */
public final class ClientKeys {
    public static final ConfigKeys ALL = new ConfigKeys(Stream.of(
                            RetryRule.KEYS,
                            DirectoryCache.KEYS,
                            AttributeCache.KEYS,
                            WriteOptions.KEYS,
                            ReadOptions.KEYS,
                            AsyncSteadFs.KEYS,
                            PoolOptions.KEYS,
                            StreamMemory.KEYS)
                    .<ConfigKey<?>>flatMap(List::stream)
                    .toList())
            .and(NettyOptions.KEYS);

    private ClientKeys() {}
}
