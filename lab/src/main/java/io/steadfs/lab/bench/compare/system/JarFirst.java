package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;

/**
 * A class loader that prefers the classes of a client jar to the classes of this program. Other classes, such as
 * Hadoop's, come from this program. With such class loaders, clients of two builds run in one process. Classes of
 * SteadFS come only from the jar, because this program has the classes of another build.
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

    /**
     * Returns only the jar's resources if the jar has any. This program's service files would name classes of another
     * build.
     */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Enumeration<URL> found = findResources(name);
        return found.hasMoreElements() ? found : super.getResources(name);
    }
}
