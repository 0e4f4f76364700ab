package io.steadfs.webui.problem;

/**
 * Why a request is refused, as RFC 9457 writes it.
 *
 * @param title the same for all of one status
 * @param detail what exactly, for people
 */
public record Problem(String type, String title, int status, String detail) {
    static final String MEDIA_TYPE = "application/problem+json";
}
