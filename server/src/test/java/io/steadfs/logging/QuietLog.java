package io.steadfs.logging;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/** While it is open this process logs nothing: for tests whose damage, reported line by line, is their business. */
public final class QuietLog implements AutoCloseable {
    private final Level former = LogManager.getRootLogger().getLevel();

    public QuietLog() {
        Configurator.setRootLevel(Level.OFF);
    }

    @Override
    public void close() {
        Configurator.setRootLevel(former);
    }
}
