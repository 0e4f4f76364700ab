package io.steadfs.it.metrics;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * What a server answered to a GET.
 *
 * @param type of the content
 */
record Page(int code, String type, String body) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    static Page get(String url) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        return new Page(
                answer.statusCode(), answer.headers().firstValue("Content-Type").orElse(""), answer.body());
    }

    /** Of the server whose {@code /metrics} is there. */
    static Page health(String metricsUrl) throws IOException, InterruptedException {
        return get(URI.create(metricsUrl).resolve("/health").toString());
    }
}
