package io.steadfs.webui.login;

import io.steadfs.time.Clock;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The sessions of logged-in users. The sessions are only in memory, so users must log in again after a restart.
 * Thread-safe.
 */
public final class Sessions {
    static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(30);
    static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(12);
    private static final int MOST = 1_000;
    private static final int TOKEN_BYTES = 32;

    private final Clock clock;
    private final Users users;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Kept> sessions = new HashMap<>();

    /**
     * A session.
     *
     * @param token token in the session's cookie
     * @param csrf token that each change must contain; a page of another server cannot know this token
     */
    public record Session(String token, String csrf, Users.User user) {
        /**
         * Compares the token with the session's token. The comparison takes equally long for a right token and a wrong
         * token.
         */
        public boolean isCsrf(String named) {
            return MessageDigest.isEqual(
                    csrf.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    named.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    private static final class Kept {
        final Session session;
        final long began;
        long used;

        Kept(Session session, long now) {
            this.session = session;
            this.began = now;
            this.used = now;
        }

        boolean isOver(long now) {
            return now - used > IDLE_NANOS || now - began > LONGEST_NANOS;
        }
    }

    public Sessions(Clock clock, Users users) {
        this.clock = clock;
        this.users = users;
    }

    /** Begins a session. If there are too many sessions, the least recently used session ends. */
    public synchronized Session begin(Users.User user) {
        long now = clock.monotonicNanos();
        sessions.values().removeIf(kept -> kept.isOver(now));
        if (sessions.size() >= MOST) {
            sessions.entrySet().stream()
                    .min((one, other) -> Long.compare(one.getValue().used, other.getValue().used))
                    .map(Map.Entry::getKey)
                    .ifPresent(sessions::remove);
        }
        Session session = new Session(token(), token(), user);
        sessions.put(session.token(), new Kept(session, now));
        return session;
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The session with this token. The result is empty if no session has this token, the session has expired, or its
     * user was removed.
     *
     * @param attended whether a person caused the request; only such a request counts as use of the session
     */
    public synchronized Optional<Session> find(String token, boolean attended) {
        long now = clock.monotonicNanos();
        Kept kept = sessions.get(token);
        if (kept == null || kept.isOver(now) || !users.has(kept.session.user())) {
            sessions.remove(token);
            return Optional.empty();
        }
        if (attended) {
            kept.used = now;
        }
        return Optional.of(kept.session);
    }

    /**
     * Ends all sessions of a removed user. If somebody adds a user of the same name later, the new user has no session.
     */
    public synchronized void endOf(String user) {
        sessions.values().removeIf(kept -> kept.session.user().name().equals(user));
    }

    public synchronized void end(String token) {
        sessions.remove(token);
    }
}
