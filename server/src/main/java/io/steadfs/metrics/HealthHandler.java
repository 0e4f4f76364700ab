package io.steadfs.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code /health} over HTTP. For every other path, the answer names the two pages that exist.
 *
 * <pre>
 * 200  {"status":"ok"}                              the server serves
 * 503  {"status":"failing","reasons":["...", ...]}  it does not serve, or its state is unknown
 * </pre>
 */
final class HealthHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(HealthHandler.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final Supplier<List<String>> reasons;

    /** @param reasons returns why the server does not serve; empty if it serves */
    HealthHandler(Supplier<List<String>> reasons) {
        this.reasons = reasons;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(
                        exchange,
                        METHOD_NOT_ALLOWED,
                        Map.of("error", "GET and HEAD are answered, " + method + " is not"));
            } else if (!exchange.getRequestURI().getPath().equals("/health")) {
                answer(exchange, NOT_FOUND, Map.of("error", "there are /metrics and /health"));
            } else {
                tellHealth(exchange);
            }
        }
    }

    private void tellHealth(HttpExchange exchange) throws IOException {
        List<String> now = now();
        Map<String, Object> health = new LinkedHashMap<>();
        health.put("status", now.isEmpty() ? "ok" : "failing");
        if (!now.isEmpty()) {
            health.put("reasons", now);
        }
        answer(exchange, now.isEmpty() ? OK : UNAVAILABLE, health);
    }

    private List<String> now() {
        try {
            return reasons.get();
        } catch (RuntimeException e) {
            LOG.warn("the server's health is unknown", e);
            return List.of("the server's health is unknown: " + e);
        }
    }

    private static void answer(HttpExchange exchange, int code, Map<String, ?> fields) throws IOException {
        byte[] body = json(fields);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(code, -1);
        } else {
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] json(Map<String, ?> fields) {
        try {
            return JSON.writeValueAsBytes(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("fields without a form in JSON: " + fields, e);
        }
    }
}
