package io.steadfs.lab.bench.compare;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.lab.bench.compare.system.ClusterSize;
import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.compare.system.HomeContender;
import io.steadfs.lab.bench.compare.system.KnownKeys;
import io.steadfs.lab.bench.compare.system.SteadHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/**
 * This build of SteadFS and the other build that {@code --beside} names. Both builds are started and loaded in the same
 * way.
 */
record Homes(SteadHome first, SteadHome second) {
    private static final String FIRST = "this";
    private static final String SECOND = "beside";

    /**
     * @throws IllegalArgumentException if a folder holds no SteadFS that can run; the message names the folder and what
     *     is missing
     */
    static Homes of(Path here, Path beside) {
        SteadHome second = checked("--beside " + beside, beside);
        return new Homes(checked("this SteadFS", here), second);
    }

    private static SteadHome checked(String what, Path home) {
        try {
            return SteadHome.of(home);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks that the second build knows all configuration keys that the user sets for it. The command checks the keys of
     * this build by its own list.
     *
     * @param both keys that the user sets for both builds
     * @param besideAlone keys that the user sets only for the second build
     * @throws IllegalArgumentException if the second build does not know a key; the message names the key
     */
    void checkKeys(Collection<String> both, Collection<String> besideAlone) {
        KnownKeys known = KnownKeys.of(second);
        known.check(both, "--set, for " + second.path());
        known.check(besideAlone, "--set-beside, for " + second.path());
    }

    Contender first(Path folder, ClusterSize size, Map<String, String> settings, Cleanup cleanup)
            throws IOException, InterruptedException {
        return new HomeContender(FIRST, first, folder.resolve(FIRST), size, settings, cleanup);
    }

    Contender second(Path folder, ClusterSize size, Map<String, String> settings, Cleanup cleanup)
            throws IOException, InterruptedException {
        return new HomeContender(SECOND, second, folder.resolve(SECOND), size, settings, cleanup);
    }
}
