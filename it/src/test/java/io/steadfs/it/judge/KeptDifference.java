package io.steadfs.it.judge;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A difference between HDFS and SteadFS that stays, and why. The table in docs/hadoop.md has the same rows. */
enum KeptDifference {
    UNOFFERED(
            "ACLs, snapshots, quotas, storage policies, path handles, multipart uploaders, `concat`, `listCorruptFileBlocks`, `setReadahead`, `setDropBehind`",
            "offered",
            "`UnsupportedOperationException`",
            "not offered by this release",
            "(closed )?(fc\\.)?(getAclStatus|modifyAclEntries|(set|remove|removeDefault)Acl|removeAclEntries|createSnapshot|renameSnapshot|deleteSnapshot"
                    + "|getStoragePolicy|setStoragePolicy|unsetStoragePolicy|satisfyStoragePolicy|getAllStoragePolicies|createMultipartUploader|setQuota|concat|getPathHandle|listCorruptFileBlocks|setReadahead|setDropBehind)",
            ".*",
            "! UnsupportedOperationException.*",
            false),
    UNPACKED(
            "any",
            "`RemoteException` that holds the exception of the NameNode, where its client does not unpack it",
            "that exception itself",
            "it is an `IOException` either way, and says more",
            ".*",
            "! IOException \\[RemoteException\\((\\S+\\.)?(\\w+)\\):.*",
            "",
            false),
    BELOW_A_FILE(
            "any, with a path below a file",
            "`AccessControlException` that says `is not a directory`",
            "`FileNotFoundException` or false; `ParentNotDirectoryException` where something is made",
            "what is below a file is not there: programs ask so, and Hadoop's interface says so",
            ".*",
            "! (AccessControl|ParentNotDirectory)Exception .*is not a directory.*",
            "(! FileNotFoundException|! ParentNotDirectoryException|false|nothing|\\[]).*",
            false),
    COLON(
            "calls that look at a name with a colon, delete it or rename it",
            "`IllegalArgumentException`",
            "as with any other name",
            "what an earlier release made can be read and got rid of",
            "(?!(fc\\.)?(create|mkdir)).*",
            "! IllegalArgumentException .*(is not a valid DFS filename|Invalid (file|path) name|URISyntaxException).*",
            "(?!! IllegalArgumentException).*",
            false),
    TWO_FAULTS(
            "calls with several arguments that cannot be",
            "one of the exceptions",
            "another one of them",
            "none of them is done; which is told first is not promised",
            "(closed )?(fc\\.)?(create|mkdir|rename|setOwner|\\w+XAttr|open writer|FileUtil|util).*",
            "(!|false).*",
            "! .*(block size|replication|NAME_TOO_LONG|may be neither made nor replaced|has a colon|name of an extended attribute|Wrong FS|does not specify any options).*",
            false),
    SOURCE_AND_TARGET(
            "`rename` of what is not there, or cannot be renamed, to where nothing can be",
            "`ParentNotDirectoryException` or `AccessControlException`",
            "`FileNotFoundException`, `IOException` or false",
            "nothing is moved; which is told first is not promised",
            "(fc\\.)?rename.*",
            "! (ParentNotDirectoryException|AccessControlException).*",
            "(! FileNotFoundException|false|! IOException .*INVALID_RENAME).*",
            false),
    DENIED(
            "calls that are refused for permission and for something else",
            "`AccessControlException`",
            "the other exception, or false",
            "nothing is done; which is told first is not promised",
            ".*",
            "! AccessControlException .*Permission denied.*",
            "(! File(AlreadyExists|NotFound)Exception|! PathIsNotEmptyDirectoryException|! ParentNotDirectoryException|false"
                    + "|! IOException .*INVALID_RENAME).*",
            false),
    NOT_ENTERED_IN_BULK(
            "`BulkDelete` of a name of 256 bytes in a directory that the user may not enter",
            "told among those that failed",
            "not told",
            "no such name can be there, so nothing is left to delete",
            "bulkDelete",
            "1 1",
            "1 0",
            false) {
        @Override
        boolean concerns(Difference difference) {
            return difference.step().call().toString().contains(" characters)");
        }
    },
    NEW_SOURCE(
            "`seekToNewSource` of a stream that was not read yet",
            "true",
            "false",
            "there is no other source",
            "seekToNewSource",
            "true",
            "false",
            false),
    CLOSED(
            "`getStatus` of a closed file system",
            "answers",
            "`IOException`: `Filesystem closed`",
            "as all other calls",
            "closed getStatus",
            "true",
            "! IOException.*Filesystem closed.*",
            false),
    LEFT_BEHIND(
            "making something with a name of 256 bytes in a directory that is not there",
            "`IOException`, and the directory is made",
            "`IOException`, and nothing is made",
            "what fails leaves nothing behind",
            ".*",
            "! IOException .*PathComponentTooLong.*",
            "! IOException .*NAME_TOO_LONG.*",
            true),
    OVER_A_FILE(
            "`rename` of a directory onto a file, or of a file onto a directory",
            "`IOException`",
            "`FileAlreadyExistsException`",
            "it is an `IOException`, and says more",
            "fc\\.rename .*",
            "! IOException .*must both be.*",
            "! FileAlreadyExistsException.*",
            false),
    OPEN(
            "exclusive `create` of a file that is being written",
            "`IOException` (`AlreadyBeingCreatedException`)",
            "`FileAlreadyExistsException`",
            "it is there, whoever writes it",
            "(fc\\.)?(create|createFile|createNonRecursive|createNewFile).*",
            "! IOException .*AlreadyBeingCreatedException.*",
            "(! FileAlreadyExistsException|false).*",
            false),
    RELATIVE_BUILDER(
            "`createFile` with a relative path",
            "`IllegalArgumentException`",
            "relative to the working directory",
            "as all other calls",
            "(closed )?createFile.*",
            "! IllegalArgumentException .*is not a valid DFS filename.*",
            ".*",
            false),
    WRITER_GONE(
            "closing a writer whose file was deleted with the tree above it",
            "`FileNotFoundException`",
            "nothing, until the space of the tree is reclaimed",
            "a tree is deleted in one step, and what is in it some time later",
            "(close writer|open (writer|appender)|hflush|hsync|write)",
            "! .*File does not exist.*",
            "nothing",
            true),
    ORDER(
            "`listStatus` of names that are not all of ASCII",
            "those that begin with other characters first",
            "sorted by name",
            "as `ls` does; the order is not promised",
            "(closed )?(fc\\.)?(util\\.)?(listStatus|globStatus).*",
            "\\[.*",
            "\\[.*",
            false) {
        @Override
        boolean concerns(Difference difference) {
            return sorted(difference.judge()).equals(sorted(difference.ours()));
        }
    },
    ROOT_RENAMED(
            "`rename` of the root",
            "`IOException`: a `NullPointerException` in the NameNode",
            "false",
            "the root has no other name",
            "rename",
            "! IOException .*NullPointerException.*",
            "false",
            false),
    TRUNCATED(
            "`truncate` within a block",
            "false; done some seconds later",
            "true",
            "it is done when it returns",
            "(fc\\.)?truncate",
            "false",
            "true",
            false),
    NO_BYTES(
            "`getFileChecksum` of 0 bytes",
            "a checksum of nothing, whether there is a file or not",
            "that of the file's first 0 bytes, or `FileNotFoundException`",
            "HDFS does not ask its NameNode then",
            "(fc\\.)?getFileChecksum.*",
            "MD5-of-0MD5-of-0CRC32.*",
            ".*",
            false),
    APPEND_FLAG(
            "`FileSystem.create` with the flag `APPEND`",
            "makes a new file, or refuses where there is one; with `OVERWRITE` replaces it",
            "appends, and refuses `APPEND` with `OVERWRITE`",
            "as Hadoop's interface describes the flag",
            "(closed )?(create|createNonRecursive)\\(flags\\).*",
            ".*",
            ".*",
            true) {
        @Override
        boolean concerns(Difference difference) {
            return difference.step().call().toString().contains("APPEND]");
        }
    },
    BUILDER_OPTIONS(
            "`createFile` with a mandatory option that nobody knows",
            "ignores it",
            "`IllegalArgumentException`",
            "as Hadoop's interface describes `must`",
            "(closed )?createFile\\(must nonsense\\)",
            ".*",
            "! IllegalArgumentException.*",
            false),
    ENCLOSING_ROOT(
            "`getEnclosingRoot`",
            "`/`",
            "`/` with scheme and authority",
            "as Hadoop's interface describes it",
            "(closed )?getEnclosingRoot",
            ".*",
            "fs:/.*",
            false),
    NOT_ENTERED(
            "calls with a name that is not there, in a directory that the user may not enter",
            "`FileNotFoundException` or false",
            "`AccessControlException`",
            "who may not enter a directory does not learn what is in it",
            ".*",
            "(! FileNotFoundException|false).*",
            "! AccessControlException.* may not --x .*",
            false),
    NOT_EMPTY(
            "`rename` with `OVERWRITE` onto a directory that is not empty",
            "`IOException`",
            "`PathIsNotEmptyDirectoryException`",
            "it is an `IOException`, and says more",
            "fc\\.rename OVERWRITE",
            "! IOException .*is not empty.*",
            "! PathIsNotEmptyDirectoryException.*",
            false),
    CONTEXT_CAPABILITY(
            "`FileContext.hasPathCapability`",
            "false",
            "as `FileSystem.hasPathCapability`",
            "both interfaces can do the same",
            "fc\\.hasPathCapability",
            "false",
            "true",
            false),
    CAPABILITY(
            "`hasPathCapability` of a path of another file system",
            "`IllegalArgumentException`",
            "answers",
            "a question that never fails",
            "(closed )?hasPathCapability",
            "! IllegalArgumentException.*",
            "false|true",
            false);

    private static List<String> sorted(Answer answer) {
        return Arrays.stream(answer.text().split("[\\[\\],]"))
                .map(String::strip)
                .sorted()
                .toList();
    }

    private final String calls;
    private final String hdfs;
    private final String here;
    private final String why;
    private final Pattern kinds;
    private final Pattern hdfsAnswer;
    private final Pattern ourAnswer;
    private final boolean leavesOtherContents;

    /**
     * @param calls for people, as {@code hdfs}, {@code here} and {@code why}
     * @param kinds names of steps
     * @param hdfsAnswer of the judge
     */
    KeptDifference(
            String calls,
            String hdfs,
            String here,
            String why,
            String kinds,
            String hdfsAnswer,
            String ourAnswer,
            boolean leavesOtherContents) {
        this.calls = calls;
        this.hdfs = hdfs;
        this.here = here;
        this.why = why;
        this.kinds = Pattern.compile(kinds);
        this.hdfsAnswer = Pattern.compile(hdfsAnswer, Pattern.DOTALL);
        this.ourAnswer = Pattern.compile(ourAnswer, Pattern.DOTALL);
        this.leavesOtherContents = leavesOtherContents;
    }

    static Optional<KeptDifference> of(Difference difference) {
        return Arrays.stream(values()).filter(row -> row.covers(difference)).findFirst();
    }

    private boolean covers(Difference difference) {
        Matcher judged = hdfsAnswer.matcher(difference.judge().toString());
        if (!kinds.matcher(difference.step().name()).matches() || !judged.matches()) {
            return false;
        }
        if (this == UNPACKED) {
            return difference.ours().text().equals("! " + judged.group(2));
        }
        return ourAnswer.matcher(difference.ours().toString()).matches() && concerns(difference);
    }

    /** What patterns do not say. */
    boolean concerns(Difference difference) {
        return true;
    }

    /** Whether both refuse alike, and yet one side did something. */
    static boolean leavesOtherContents(Difference refused) {
        return LEFT_BEHIND.covers(refused);
    }

    /** Whether the sides have different contents afterwards, although both answered or both refused. */
    boolean leavesOtherContents() {
        return leavesOtherContents;
    }

    /** As docs/hadoop.md has it. */
    String row() {
        return "| " + calls + " | " + hdfs + " | " + here + " | " + why + " |";
    }
}
