package io.steadfs.hadoop;

import io.steadfs.client.SteadFs;
import io.steadfs.client.reference.ReferenceFs;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Connects to a reference file system and writes down every call on its way there. */
final class Recorder implements Connector {
    static final URI URI_OF_IT = URI.create("stead://reference:7410");

    private final ReferenceFs superuser = ReferenceFs.format(System.getProperty("user.name"));
    private final List<String> calls = new ArrayList<>();
    private int closed;

    @Override
    public Connection connect(Settings settings, List<ServerAddress> servers, Caller caller) {
        ReferenceFs fs = superuser.as(caller.getUser(), caller.getGroupsList());
        SteadFs recorded = (SteadFs) Proxy.newProxyInstance(
                Recorder.class.getClassLoader(), new Class<?>[] {SteadFs.class}, (proxy, method, arguments) -> {
                    record(method.getName());
                    try {
                        return method.invoke(fs, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new Connection(recorded, () -> Map.of("messages.out.STAT", 7L));
    }

    /** Past Hadoop. */
    SteadFs client() {
        return superuser;
    }

    private synchronized void record(String call) {
        if (call.equals("close")) {
            closed++;
        } else {
            calls.add(call);
        }
    }

    /** Calls since the last time this was asked; the map of the cluster, which the client has, left out. */
    synchronized List<String> takeCalls() {
        List<String> taken =
                calls.stream().filter(call -> !call.equals("knownClusterMap")).toList();
        calls.clear();
        return taken;
    }

    /** Clients that were closed. */
    synchronized int closed() {
        return closed;
    }

    SteadFileSystem fileSystem(Configuration conf) throws IOException {
        SteadFileSystem fs = new SteadFileSystem(this);
        fs.initialize(URI_OF_IT, conf);
        return fs;
    }
}
