package io.steadfs.client.create;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.layout.ProtocolName;
import io.steadfs.path.FsPath;
import io.steadfs.time.Clock;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntUnaryOperator;

/**
 * Chooses the protocol that makes a file. The hint of the directory names the protocol. Without a hint, the client uses
 * the configured protocol. The reply to each create brings the directory's hint, so the hint costs no message. A
 * client's first create in a directory has no hint yet. Thread-safe.
 */
public final class CreateChoice {
    public static final ConfigKey<Boolean> HINTS = ConfigKey.flag(
            "stead.create.hints",
            true,
            "Follow what the extended attribute " + ProtocolName.HINT
                    + " of a directory says about how to make files in it.");

    /** Largest number of directories whose hints the client remembers. */
    private static final int MOST_DIRECTORIES = 1000;

    private final ProtocolName configured;
    private final boolean hinted;
    private final AdaptiveCreate adaptive;
    private final Map<ProtocolName, CreateProtocol> protocols = new EnumMap<>(ProtocolName.class);
    private final ConcurrentMap<ProtocolName, CreateCounters> counters = new ConcurrentHashMap<>();
    private final Map<FsPath, ProtocolName> hints = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FsPath, ProtocolName> eldest) {
            return size() > MOST_DIRECTORIES;
        }
    };

    /** @param random returns a random number from 0 up to, but not including, its argument; called on any thread */
    public CreateChoice(Settings settings, Clock clock, IntUnaryOperator random) {
        this.configured = settings.get(CreateProtocol.KEY);
        this.hinted = settings.get(HINTS);
        boolean eager = settings.get(CreateProtocol.EAGER);
        this.adaptive = new AdaptiveCreate(eager, settings.get(AdaptiveCreate.RATE), new CreateRate(clock));
        for (ProtocolName name : ProtocolName.values()) {
            if (name != ProtocolName.ADAPTIVE) {
                protocols.put(name, CreateProtocol.named(name, eager, random));
            }
        }
    }

    /** A protocol, and the counters that count the protocol's messages. */
    public record Chosen(CreateProtocol protocol, CreateCounters counters) {}

    public Chosen choose(FsPath path) {
        ProtocolName name = wanted(path);
        if (name == ProtocolName.ADAPTIVE) {
            name = adaptive.choose();
        }
        CreateProtocol protocol = protocols.get(name);
        if (protocol == null) {
            throw new IllegalStateException("no protocol " + name);
        }
        return new Chosen(protocol, counters.computeIfAbsent(name, CreateCounters::new));
    }

    private ProtocolName wanted(FsPath path) {
        synchronized (hints) {
            return path.isRoot() ? configured : hints.getOrDefault(path.parent(), configured);
        }
    }

    /**
     * Notes the hint from the reply to a create.
     *
     * @param path path of the new file
     * @param hint hint of the file's directory; empty if the directory has none
     */
    public void learn(FsPath path, String hint) {
        if (!hinted) {
            return;
        }
        synchronized (hints) {
            if (hint.isEmpty()) {
                hints.remove(path.parent());
                return;
            }
            try {
                hints.put(path.parent(), ProtocolName.parse(hint));
            } catch (IllegalArgumentException e) {
                // A later release has added this protocol. Act as if there were no hint.
                hints.remove(path.parent());
            }
        }
    }

    public void addTo(Map<String, Long> all) {
        counters.computeIfAbsent(
                configured == ProtocolName.ADAPTIVE ? ProtocolName.UNIFIED : configured, CreateCounters::new);
        counters.values().forEach(each -> each.addTo(all));
        if (configured == ProtocolName.ADAPTIVE) {
            adaptive.addTo(all);
        }
    }
}
