package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;

/**
 * Loads what a client's jar has from that jar, and everything else from this program: Hadoop above all. So clients of two builds
 * run in one process. Classes of SteadFS that the jar does not have are not found: this program's are of another build.
 */
final class JarFirst extends URLClassLoader {
    private static final String OWN = "io.steadfs.";

    static {
        registerAsParallelCapable();
    }

    JarFirst(Path jar) throws MalformedURLException {
        super(jar.getFileName().toString(), new URL[] {jar.toUri().toURL()}, JarFirst.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                return findClass(name);
            } catch (ClassNotFoundException e) {
                if (name.startsWith(OWN)) {
                    throw e;
                }
                return super.loadClass(name, resolve);
            }
        }
    }

    @Override
    public URL getResource(String name) {
        URL found = findResource(name);
        return found == null ? super.getResource(name) : found;
    }

    /** Those of the jar alone, if it has any: a list of services would name classes of another build. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Enumeration<URL> found = findResources(name);
        return found.hasMoreElements() ? found : super.getResources(name);
    }
}
