package io.steadfs.webui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;

/** Asks as a page does: with the session's cookie, and its token for changes. */
public final class RestClient {
    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final URI server;
    private Optional<String> cookie = Optional.empty();
    private Optional<String> csrf = Optional.empty();

    public record Answer(int status, String body, HttpHeaders headers) {
        public JsonNode json() throws IOException {
            return new ObjectMapper().readTree(body);
        }
    }

    public RestClient(URI server) {
        this.server = server;
    }

    public Answer login(String user, String password) throws IOException, InterruptedException {
        Answer answer = send("POST", "api/v1/session", Map.of("user", user, "password", password));
        if (answer.status() == 200) {
            csrf = Optional.of(answer.json().get("csrf").asText());
            cookie = answer.headers().firstValue("Set-Cookie").map(value -> value.split(";", 2)[0]);
        }
        return answer;
    }

    public void forgetToken() {
        csrf = Optional.empty();
    }

    public void token(String other) {
        csrf = Optional.of(other);
    }

    public Answer get(String path) throws IOException, InterruptedException {
        return send("GET", path, Map.of());
    }

    public Answer post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send("POST", path, body);
    }

    public Answer send(String method, String path, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
        boolean hasBody = method.equals("POST");
        request.method(
                method,
                hasBody
                        ? HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body))
                        : HttpRequest.BodyPublishers.noBody());
        if (hasBody) {
            request.header("Content-Type", "application/json");
        }
        cookie.ifPresent(value -> request.header("Cookie", value));
        csrf.ifPresent(value -> request.header("X-CSRF-Token", value));
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body(), response.headers());
    }
}
