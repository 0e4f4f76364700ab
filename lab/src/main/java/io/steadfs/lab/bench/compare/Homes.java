package io.steadfs.lab.bench.compare;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.compare.system.HomeContender;
import io.steadfs.lab.bench.compare.system.KnownKeys;
import io.steadfs.lab.bench.compare.system.SteadHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/** This build of SteadFS and the one of {@code --beside}. Both are started and loaded in the same way. */
record Homes(SteadHome first, SteadHome second) {
    private static final String FIRST = "this";
    private static final String SECOND = "beside";

    /** @throws IllegalArgumentException naming the folder and what is missing */
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
     * Checks that a build knows the keys that it gets.
     *
     * @param both keys of both builds
     * @param besideAlone keys of the second build alone
     * @throws IllegalArgumentException naming an unknown key
     */
    void checkKeys(Collection<String> both, Collection<String> besideAlone) {
        KnownKeys.of(first).check(both, "--set, for " + first.path());
        KnownKeys known = KnownKeys.of(second);
        known.check(both, "--set, for " + second.path());
        known.check(besideAlone, "--set-beside, for " + second.path());
    }

    Contender first(Path folder, int ioServers, Map<String, String> settings, Cleanup cleanup)
            throws IOException, InterruptedException {
        return new HomeContender(FIRST, first, folder.resolve(FIRST), ioServers, settings, cleanup);
    }

    Contender second(Path folder, int ioServers, Map<String, String> settings, Cleanup cleanup)
            throws IOException, InterruptedException {
        return new HomeContender(SECOND, second, folder.resolve(SECOND), ioServers, settings, cleanup);
    }
}
