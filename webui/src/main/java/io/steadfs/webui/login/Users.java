package io.steadfs.webui.login;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.ReplacedFile;
import io.steadfs.webui.problem.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may log in. Kept in one file, a JSON list of {@link Kept}, which only its owner may read; each change writes another one and puts it in
 * its place. Thread-safe.
 */
public final class Users {
    public static final String FIRST = "admin";

    private static final String FILE = "users.json";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9._-]{0,31}");
    /** Without those that look like others. */
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private static final int PASSWORD_LETTERS = 20;

    /** So that a name that is not there takes as long as one that is. */
    private final PasswordHash nobody;

    private final Path directory;
    private final SecureRandom random = new SecureRandom();
    private final ObjectMapper json = new ObjectMapper();
    private List<Kept> users;

    /** A user as the file has one. */
    record Kept(String name, Role role, PasswordHash password) {}

    /** A user as others may know one. */
    public record User(String name, Role role) {}

    /** A user whose password is told once, now. */
    public record NewUser(String name, Role role, String password) {}

    private Users(Path directory, List<Kept> users) {
        this.directory = directory;
        this.users = List.copyOf(users);
        this.nobody = PasswordHash.of("", random);
    }

    /**
     * Those of a directory; none where it has no file yet.
     *
     * @throws IOException naming the file, if it cannot be read
     */
    public static Users in(Path directory) throws IOException {
        DurableDirectories.make(directory);
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return new Users(directory, List.of());
        }
        try {
            return new Users(directory, List.of(new ObjectMapper().readValue(file.toFile(), Kept[].class)));
        } catch (JacksonException e) {
            throw new IOException(file + " is no list of users: " + e.getOriginalMessage(), e);
        }
    }

    /** At the first start: an operator whose password nobody knows yet. Empty where there are users. */
    public synchronized Optional<NewUser> first() throws IOException {
        return users.isEmpty() ? Optional.of(add(FIRST, Role.OPERATOR)) : Optional.empty();
    }

    public synchronized List<User> all() {
        return users.stream()
                .map(each -> new User(each.name(), each.role()))
                .sorted(Comparator.comparing(User::name))
                .toList();
    }

    /** Empty where name or password are wrong. */
    public Optional<User> find(String name, String password) {
        Optional<Kept> kept;
        synchronized (this) {
            kept = users.stream().filter(each -> each.name().equals(name)).findAny();
        }
        boolean isRight = kept.map(Kept::password).orElse(nobody).isOf(password);
        return kept.filter(user -> isRight).map(user -> new User(user.name(), user.role()));
    }

    /** Whether the user is there still, with that role. */
    public synchronized boolean has(User user) {
        return users.stream().anyMatch(each -> each.name().equals(user.name()) && each.role() == user.role());
    }

    /** @throws Refusal if the name is none, or there */
    public NewUser add(String name, Role role) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw Refusal.badRequest("name '" + name + "' is not a letter and up to 31 of a-z, 0-9, '.', '_', '-'");
        }
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < PASSWORD_LETTERS; i++) {
            password.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        Kept added = new Kept(name, role, PasswordHash.of(password.toString(), random));
        synchronized (this) {
            if (users.stream().anyMatch(each -> each.name().equals(name))) {
                throw Refusal.conflict("user '" + name + "' is there already");
            }
            List<Kept> more = new ArrayList<>(users);
            more.add(added);
            keep(more);
        }
        return new NewUser(name, role, password.toString());
    }

    /** @throws Refusal if there is none of that name, or it is the last operator */
    public synchronized void remove(String name) throws IOException {
        List<Kept> fewer =
                users.stream().filter(each -> !each.name().equals(name)).toList();
        if (fewer.size() == users.size()) {
            throw Refusal.notFound("there is no user '" + name + "'");
        }
        if (fewer.stream().noneMatch(each -> each.role() == Role.OPERATOR)) {
            throw Refusal.conflict("'" + name + "' is the last operator");
        }
        keep(fewer);
    }

    private void keep(List<Kept> next) throws IOException {
        ReplacedFile.write(
                directory, FILE, json.writerWithDefaultPrettyPrinter().writeValueAsBytes(next));
        users = List.copyOf(next);
    }
}
