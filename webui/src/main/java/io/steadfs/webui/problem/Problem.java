package io.steadfs.webui.problem;

/**
 * Describes why the server refused a request, in the form of RFC 9457.
 *
 * @param title short description; all problems with the same status have the same title
 * @param detail the exact reason, for people
 */
public record Problem(String type, String title, int status, String detail) {
    static final String MEDIA_TYPE = "application/problem+json";
}
