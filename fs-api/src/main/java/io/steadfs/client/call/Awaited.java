package io.steadfs.client.call;

/**
 * What a caller waits for, for messages to people.
 *
 * @param subject what the operation is about; an object whose text is made only for a message
 * @param step what is done with it, such as "create"
 */
public record Awaited(Object subject, String step) {
    @Override
    public String toString() {
        return subject + ": " + step;
    }
}
