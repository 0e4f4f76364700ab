package io.steadfs.server;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.wire.proto.Caller;
import java.util.List;

/**
 * Names the superuser and the supergroup. The superuser and all members of the supergroup pass every permission check
 * and may see the inside of servers.
 */
public record Administrators(String superuser, String supergroup) {
    public static final ConfigKey<String> SUPERUSER = ConfigKey.text(
            "stead.superuser",
            "",
            "User who passes every permission check; where it is empty, the user who formatted the file system.");
    public static final ConfigKey<String> SUPERGROUP = ConfigKey.text(
            "stead.supergroup",
            "supergroup",
            "Group whose members pass every permission check, and the group of the root directory.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(SUPERUSER, SUPERGROUP));

    /**
     * Reads the names of the superuser and the supergroup from the settings.
     *
     * @param formatter the user who formatted the file system, and who is the superuser by default
     */
    public static Administrators from(Settings settings, String formatter) {
        String configured = settings.get(SUPERUSER);
        return new Administrators(configured.isEmpty() ? formatter : configured, settings.get(SUPERGROUP));
    }

    /** Whether the caller is an administrator. A caller without a user name is no administrator. */
    public boolean include(Caller caller) {
        return !caller.getUser().isEmpty()
                && (caller.getUser().equals(superuser) || caller.getGroupsList().contains(supergroup));
    }
}
