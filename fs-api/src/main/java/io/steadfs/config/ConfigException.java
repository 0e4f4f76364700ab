package io.steadfs.config;

/**
 * Reports a configuration that cannot be used. The message names key and value. A process with such a configuration
 * does not start.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
