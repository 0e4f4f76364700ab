package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the namespace, a line each: what there is, who does what, how it ends. See {@link Shell} for commands. */
class RulesTest {
    /** Directories /d (with a file f, an empty directory e, a directory full holding a file x), a file /f. */
    private static final String TREE = "mkdir /d; create /d/f; mkdir /d/e; mkdir /d/full; create /d/full/x; create /f";

    private void check(String given, String user, String command, String error) {
        Shell shell = new Shell().given(given);
        String before = dump(shell);
        Reply reply = shell.as(user, command);
        assertThat(reply.error())
                .as("%s: %s", command, reply.header().getMessage())
                .isEqualTo(FsError.valueOf(error));
        StateCheck.of(shell.state.view());
        if (!reply.isOk()) {
            assertThat(reply.header().getMessage()).isNotEmpty();
            assertThat(dump(shell)).as("a refusal changes nothing").isEqualTo(before);
        }
    }

    private static String dump(Shell shell) {
        StringBuilder all = new StringBuilder();
        for (Table table : ShardTables.ALL) {
            byte[] end = new byte[300];
            Arrays.fill(end, (byte) 0xff);
            try (ReadView.Cursor cursor = shell.state.view().scan(table, new byte[0], end)) {
                while (cursor.next()) {
                    all.append(Arrays.toString(cursor.key())).append(Arrays.toString(cursor.value()));
                }
            }
        }
        return all.toString();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "stat /, OK",
        "stat /d/f, OK",
        "stat /no, NOT_FOUND",
        "stat /no/no, NOT_FOUND",
        "stat /d/full/x/y, NOT_A_DIRECTORY",
        "stat /d/../f, INVALID_ARGUMENT",
        "stat /d//f, INVALID_ARGUMENT",
        "list /d, OK",
        "list /f, OK",
        "list /no, NOT_FOUND",
        "tree /, OK",
        "tree /f, OK",
        "summary /d, OK",
        "summary /no, NOT_FOUND",
        "create /new, OK",
        "create /d/new, OK",
        "create /f, ALREADY_EXISTS",
        "create! /f, OK",
        "create /d, IS_A_DIRECTORY",
        "create! /d, IS_A_DIRECTORY",
        "create /, IS_A_DIRECTORY",
        "create /no/new, NOT_FOUND",
        "creates /no/new, OK",
        "creates /no/no/no/new, OK",
        "creates /f/new, NOT_A_DIRECTORY",
        "create /f/new, NOT_A_DIRECTORY",
        "create /new 1777, OK",
        "create /new 2777, INVALID_ARGUMENT",
        "mkdir /new, OK",
        "mkdir /d, OK",
        "mkdir /, OK",
        "mkdirx /new, OK",
        "mkdirx /d, ALREADY_EXISTS",
        "mkdirx /, ALREADY_EXISTS",
        "mkdir /f, ALREADY_EXISTS",
        "mkdir /no/new, NOT_FOUND",
        "mkdirs /no/new, OK",
        "mkdirs /no/a/b/c/d, OK",
        "mkdirs /f/new, NOT_A_DIRECTORY",
        "delete /f, OK",
        "delete /d/e, OK",
        "delete /d, NOT_EMPTY",
        "delete-r /d, OK",
        "delete-r /d/e, OK",
        "delete-r /f, OK",
        "delete /no, NOT_FOUND",
        "delete-r /no/no, NOT_FOUND",
        "delete /f/x, NOT_A_DIRECTORY",
        "delete /, INVALID_ARGUMENT",
        "delete-r /, INVALID_ARGUMENT",
        "rename /f /g, OK",
        "rename /f /d/g, OK",
        "rename /f /f, OK",
        "rename /d /d, OK",
        "rename /d /d INTO_DIRECTORY, OK",
        "rename /no /g, NOT_FOUND",
        "rename /f /no/g, NOT_FOUND",
        "rename /f /d/f/g, NOT_A_DIRECTORY",
        "rename /f /d/f, ALREADY_EXISTS",
        "rename /f /d, ALREADY_EXISTS",
        "rename /f /d/f INTO_DIRECTORY, ALREADY_EXISTS",
        "rename /f /d INTO_DIRECTORY, ALREADY_EXISTS",
        "rename /f /d/e INTO_DIRECTORY, OK",
        "rename /f /g INTO_DIRECTORY, OK",
        "rename /f / INTO_DIRECTORY, OK",
        "rename /d/f / INTO_DIRECTORY, ALREADY_EXISTS",
        "rename /d/e / INTO_DIRECTORY, OK",
        "rename /f /d/f OVERWRITE, OK",
        "rename /f /d OVERWRITE, IS_A_DIRECTORY",
        "rename /d /f OVERWRITE, NOT_A_DIRECTORY",
        "rename /d/full /d/e OVERWRITE, OK",
        "rename /d/e /d/full OVERWRITE, NOT_EMPTY",
        "rename /d/full /d OVERWRITE, NOT_EMPTY",
        "rename /f /g OVERWRITE, OK",
        "rename /d /d/e, INVALID_RENAME",
        "rename /d /d/g, INVALID_RENAME",
        "rename /d /d/full/g, INVALID_RENAME",
        "rename /d /d/full INTO_DIRECTORY, INVALID_RENAME",
        "rename /d /d/no/g, INVALID_RENAME",
        "rename /d /dd, OK",
        "rename /d/full /full, OK",
        "rename / /g, INVALID_RENAME",
        "rename /f /, INVALID_RENAME",
        "rename /f / OVERWRITE, INVALID_RENAME",
        "chmod 0 /d, OK",
        "chmod 2000 /d, INVALID_ARGUMENT",
        "chmod 700 /no, NOT_FOUND",
        "chown anna /d, OK",
        "chgrp staff /f, OK",
        "times 5 /f, OK",
        "times 5 /d, OK",
        "times -1 /d, INVALID_ARGUMENT",
    })
    void superuser(String command, String error) {
        check(TREE, "root", command, error);
    }

    /** anna owns /home and what is in it; group staff. /home/p is closed to everybody but her. */
    private static final String HOME = "mkdir /home; chown anna /home; chgrp staff /home; create /home/f; "
            + "chown anna /home/f; mkdir /home/p 700; chown anna /home/p; create /home/p/x; chown anna /home/p/x; "
            + "mkdir /home/g 770; chown anna /home/g; mkdir /home/g/e 555; create /home/g/f";

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource({
        "anna, stat /home/p/x, OK",
        "ben, stat /home/p/x, PERMISSION_DENIED",
        "ben, stat /home/p, OK",
        "ben, stat /home/p/no, PERMISSION_DENIED",
        "ben, list /home, OK",
        "ben, list /home/p, PERMISSION_DENIED",
        "cleo, list /home/g, PERMISSION_DENIED",
        "ben, list /home/g, OK",
        "ben, tree /home/g, OK",
        "ben, tree /home, PERMISSION_DENIED",
        "anna, tree /home, OK",
        "ben, summary /home, PERMISSION_DENIED",
        "anna, summary /home, OK",
        "anna, create /home/new, OK",
        "ben, create /home/new, PERMISSION_DENIED",
        "ben, create /home/g/new, OK",
        "cleo, create /home/g/new, PERMISSION_DENIED",
        "ben, create /new, PERMISSION_DENIED",
        "ben, creates /home/g/a/b/new, OK",
        "ben, creates /home/a/b/new, PERMISSION_DENIED",
        "anna, create! /home/f, OK",
        "ben, create! /home/g/f, PERMISSION_DENIED",
        "anna, create! /home/g/f, PERMISSION_DENIED",
        "ben, create /home/g/f, ALREADY_EXISTS",
        "ben, mkdir /home/g/d, OK",
        "ben, mkdir /home/d, PERMISSION_DENIED",
        "ben, mkdir /home, OK",
        "ben, mkdirs /home/g/d/d, OK",
        "ben, delete /home/g/f, OK",
        "ben, delete /home/g/e, OK",
        "ben, delete /home/f, PERMISSION_DENIED",
        "anna, delete-r /home/g, OK",
        "ben, delete-r /home/g, PERMISSION_DENIED",
        "anna, delete-r /home, PERMISSION_DENIED",
        "ben, rename /home/g/f /home/g/h, OK",
        "ben, rename /home/g/f /home/f2, PERMISSION_DENIED",
        "ben, rename /home/f /home/g/h, PERMISSION_DENIED",
        "anna, rename /home/f /home/g/h, OK",
        "anna, rename /home/f /home/p INTO_DIRECTORY, OK",
        "ben, rename /home/g/f /home/p INTO_DIRECTORY, PERMISSION_DENIED",
        "anna, chmod 600 /home/f, OK",
        "ben, chmod 600 /home/f, PERMISSION_DENIED",
        "anna, chown ben /home/f, PERMISSION_DENIED",
        "anna, chown anna /home/f, OK",
        "ben, chown ben /home/f, PERMISSION_DENIED",
        "anna, chgrp staff /home/f, OK",
        "anna, chgrp dev /home/f, PERMISSION_DENIED",
        "ben, chgrp dev /home/f, PERMISSION_DENIED",
        "anna, times 7 /home/f, OK",
        "ben, times 7 /home/f, PERMISSION_DENIED",
        "ben, times 7 /home/g, OK",
    })
    void permissions(String user, String command, String error) {
        check(HOME, user, command, error);
    }

    /** /tmp is sticky and open to all: anna's file and directory, ben's file, and ben's sticky directory with cleo's. */
    private static final String STICKY = "mkdir /tmp 1777; create /tmp/a; chown anna /tmp/a; create /tmp/b; "
            + "chown ben /tmp/b; mkdir /tmp/ad 777; chown anna /tmp/ad; create /tmp/ad/b; chown ben /tmp/ad/b; "
            + "mkdir /tmp/as; chown anna /tmp/as; mkdir /tmp/as/s 1777; create /tmp/as/s/c; chown cleo /tmp/as/s/c; "
            + "mkdir /tmp/bs 1777; chown ben /tmp/bs; create /tmp/bs/c; chown cleo /tmp/bs/c; chmod 666 /tmp/b";

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource({
        "anna, delete /tmp/a, OK",
        "anna, delete /tmp/b, PERMISSION_DENIED",
        "root, delete /tmp/b, OK",
        "anna, rename /tmp/a /tmp/c, OK",
        "anna, rename /tmp/b /tmp/c, PERMISSION_DENIED",
        "anna, rename /tmp/a /tmp/b OVERWRITE, PERMISSION_DENIED",
        "ben, rename /tmp/bs/c /tmp/b OVERWRITE, OK",
        "anna, rename /tmp/bs/c /tmp/c, PERMISSION_DENIED",
        "anna, create! /tmp/b, OK",
        "anna, delete-r /tmp/ad, OK",
        "anna, delete-r /tmp/as, PERMISSION_DENIED",
        "ben, delete-r /tmp/bs, OK",
        "ben, delete-r /tmp/ad, PERMISSION_DENIED",
        "ben, delete /tmp/ad/b, OK",
        "anna, setx user.k /tmp, PERMISSION_DENIED",
        "ben, setx user.k /tmp/bs, OK",
        "anna, setx user.k /tmp/bs, PERMISSION_DENIED",
        "anna, setx user.k /tmp/b, OK",
    })
    void sticky(String user, String command, String error) {
        check(STICKY, user, command, error);
    }

    /** anna's file with a user and a trusted attribute. */
    private static final String XATTRS =
            "create /f 640; chown anna /f; chgrp staff /f; setx user.k /f; setx trusted.t /f";

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource({
        "anna, setx user.k /f, OK",
        "anna, setx user.new /f, OK",
        "anna, newx user.new /f, OK",
        "anna, newx user.k /f, XATTR_EXISTS",
        "anna, replacex user.k /f, OK",
        "anna, replacex user.new /f, XATTR_NOT_FOUND",
        "ben, setx user.k /f, PERMISSION_DENIED",
        "ben, getx /f, OK",
        "cleo, getx /f, PERMISSION_DENIED",
        "anna, getx /f user.k, OK",
        "anna, getx /f user.k user.no, XATTR_NOT_FOUND",
        "anna, getx /f trusted.t, PERMISSION_DENIED",
        "root, getx /f trusted.t, OK",
        "anna, setx trusted.t /f, PERMISSION_DENIED",
        "root, setx trusted.u /f, OK",
        "root, setx system.k /f, PERMISSION_DENIED",
        "root, setx security.k /f, PERMISSION_DENIED",
        "root, setx raw.k /f, PERMISSION_DENIED",
        "root, setx other.k /f, INVALID_ARGUMENT",
        "root, setx user. /f, INVALID_ARGUMENT",
        "root, setx k /f, INVALID_ARGUMENT",
        "anna, rmx user.k /f, OK",
        "anna, rmx user.no /f, XATTR_NOT_FOUND",
        "ben, rmx user.k /f, PERMISSION_DENIED",
        "anna, rmx trusted.t /f, PERMISSION_DENIED",
        "anna, setx user.k /no, NOT_FOUND",
    })
    void extendedAttributes(String user, String command, String error) {
        check(XATTRS, user, command, error);
    }
}
