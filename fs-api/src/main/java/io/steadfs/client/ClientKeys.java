package io.steadfs.client;

import io.steadfs.config.ConfigKeys;
import java.util.List;

/** Every configuration key that the client understands. */
public final class ClientKeys {
    public static final ConfigKeys ALL = new ConfigKeys(List.of());

    private ClientKeys() {}
}
