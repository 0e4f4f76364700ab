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
 * The users who may log in. One file stores all users as a JSON list of {@link Kept}. Only the owner of the file may
 * read the file. Each change writes a new file, which then replaces the old file. Thread-safe.
 */
public final class Users {
    public static final String FIRST = "admin";

    private static final String FILE = "users.json";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9._-]{0,31}");
    /** The characters of passwords. Characters that look like others are left out. */
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private static final int PASSWORD_LETTERS = 20;

    /**
     * The hash that is checked if a user name is unknown. So a login with an unknown name takes the same time as a
     * login with a known name.
     */
    private final PasswordHash nobody;

    private final Path directory;
    private final SecureRandom random = new SecureRandom();
    private final ObjectMapper json = new ObjectMapper();
    private List<Kept> users;

    /** A user as stored in the file. */
    record Kept(String name, Role role, PasswordHash password) {}

    /** A user without the password hash. */
    public record User(String name, Role role) {}

    /** A new user and the user's password. Only this object contains the password. */
    public record NewUser(String name, Role role, String password) {}

    private Users(Path directory, List<Kept> users) {
        this.directory = directory;
        this.users = List.copyOf(users);
        this.nobody = PasswordHash.of("", random);
    }

    /**
     * The users whose file is in the directory. If the directory has no such file, there are no users yet.
     *
     * @throws IOException if the file cannot be read; the message names the file
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

    /** If there are no users, creates an operator with a new password. Otherwise, the result is empty. */
    public synchronized Optional<NewUser> first() throws IOException {
        return users.isEmpty() ? Optional.of(add(FIRST, Role.OPERATOR)) : Optional.empty();
    }

    public synchronized List<User> all() {
        return users.stream()
                .map(each -> new User(each.name(), each.role()))
                .sorted(Comparator.comparing(User::name))
                .toList();
    }

    /** The user with this name and password; empty if the name or the password is wrong. */
    public Optional<User> find(String name, String password) {
        Optional<Kept> kept;
        synchronized (this) {
            kept = users.stream().filter(each -> each.name().equals(name)).findAny();
        }
        boolean isRight = kept.map(Kept::password).orElse(nobody).isOf(password);
        return kept.filter(user -> isRight).map(user -> new User(user.name(), user.role()));
    }

    /** Whether the user still exists and still has the same role. */
    public synchronized boolean has(User user) {
        return users.stream().anyMatch(each -> each.name().equals(user.name()) && each.role() == user.role());
    }

    /** @throws Refusal if the name is not valid, or if a user of this name exists */
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

    /** @throws Refusal if no user has this name, or if the user is the last operator */
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
