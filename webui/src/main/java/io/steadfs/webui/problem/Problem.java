package io.steadfs.webui.problem;

/**
 * Why a request is refused, in the form of RFC 9457.
 *
 * @param title the same for all problems of one status
 * @param detail the exact reason, for people
 */
public record Problem(String type, String title, int status, String detail) {
    static final String MEDIA_TYPE = "application/problem+json";
}
