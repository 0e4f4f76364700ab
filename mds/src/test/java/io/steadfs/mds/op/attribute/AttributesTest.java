package io.steadfs.mds.op.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.list.Stat;
import io.steadfs.mds.op.name.Mkdirs;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.SetAttributesReply;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What setting attributes and extended attributes leaves behind. */
class AttributesTest {
    private final Shell shell = new Shell().given("mkdir /d; create /f");

    @ParameterizedTest
    @ValueSource(strings = {"/d", "/f"})
    void setsWhatIsNamedAndNothingElse(String path) {
        Attributes before = shell.stat(path);
        shell.given("chmod 1700 " + path + "; chown anna " + path + "; chgrp staff " + path + "; times 5 " + path);
        assertThat(shell.stat(path))
                .isEqualTo(before.toBuilder()
                        .setMode(01700)
                        .setOwner("anna")
                        .setGroup("staff")
                        .setModificationTime(5)
                        .setAccessTime(5)
                        .setVersion(before.getVersion() + 4)
                        .build());
    }

    /** Of both partitions, as a stat has them. */
    @Test
    void answersWithTheEntriesOfAllPartitions() throws InvalidProtocolBufferException {
        Handle directory = new Handle(shell.stat("/d").getHandle());
        Handle upper = Handle.of(directory.owner(), 0, 1 << 20);
        DirectoryRow row = Directories.find(shell.state.view(), directory).orElseThrow();
        PartOf part = PartOf.newBuilder()
                .setDirectory(directory.value())
                .setPartition(1)
                .build();
        CountsRow counts = DirectoryCounts.first(5).toBuilder().setEntries(3).build();
        shell.state.replay(List.of(
                new DirectorySet(directory, row.toBuilder().setSplit(true).build()),
                new CountsSet(directory, counts),
                new MapEntrySet(directory, new MapEntry(new Partition(0, 1, directory), false)),
                new DirectorySet(
                        upper, DirectoryRow.newBuilder().setPartOf(part).build()),
                new CountsSet(upper, counts.toBuilder().setModificationTime(7).build()),
                new MapEntrySet(directory, new MapEntry(new Partition(1, 1, upper), false))));
        SetAttributesRequest change = SetAttributesRequest.newBuilder()
                .setLocation(Shell.at("/d"))
                .setMode(0700)
                .build();
        Attributes changed = SetAttributesReply.parseFrom(
                        shell.decide(new SetAttributes(), change, Shell.principal("root"))
                                .body()
                                .toByteString())
                .getAttributes();
        assertThat(changed.getEntries()).isEqualTo(6);
        assertThat(changed.getModificationTime()).isEqualTo(7);
        MkdirsRequest again =
                MkdirsRequest.newBuilder().setLocation(Shell.at("/d")).build();
        Attributes found = MkdirsReply.parseFrom(shell.decide(new Mkdirs(1), again, Shell.principal("root"))
                        .body()
                        .toByteString())
                .getAttributes();
        assertThat(found.getEntries()).isEqualTo(6);
        assertThat(found.getModificationTime()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"0, OK", "1, OK", "2, STALE_VERSION"})
    void testsAndSets(long expectedVersion, String error) {
        SetAttributesRequest request = SetAttributesRequest.newBuilder()
                .setLocation(Shell.at("/f"))
                .setMode(0600)
                .setExpectedVersion(expectedVersion)
                .build();
        assertThat(shell.decide(new SetAttributes(), request, Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.valueOf(error));
    }

    /** Another file with the same version has the name now. */
    @Test
    void testsAndSetsOneObject() {
        Attributes seen = shell.stat("/f");
        shell.given("create /g; rename /g /f OVERWRITE");
        assertThat(shell.stat("/f").getVersion()).isEqualTo(seen.getVersion());
        SetAttributesRequest.Builder request = SetAttributesRequest.newBuilder()
                .setLocation(Shell.at("/f"))
                .setMode(0600)
                .setExpectedVersion(seen.getVersion())
                .setExpectedHandle(seen.getHandle());
        assertThat(shell.decide(new SetAttributes(), request.build(), Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.STALE_VERSION);
        assertThat(shell.decide(new SetAttributes(), request.build(), Shell.principal("anna"))
                        .error())
                .as("who may not change the other file is told that it is another")
                .isEqualTo(FsError.STALE_VERSION);
        request.setExpectedHandle(shell.stat("/f").getHandle());
        assertThat(shell.decide(new SetAttributes(), request.build(), Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.OK);
    }

    /** As HDFS answers who sets both times to -1. */
    @ParameterizedTest
    @CsvSource({"root, OK", "anna, PERMISSION_DENIED"})
    void whoSetsNothingNeedsTheRightToSetTimes(String user, FsError error) {
        SetAttributesRequest request =
                SetAttributesRequest.newBuilder().setLocation(Shell.at("/f")).build();
        assertThat(shell.decide(new SetAttributes(), request, Shell.principal(user))
                        .error())
                .isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource({
        "/f, root, 1, OK, 0", "/f, root, 512, OK, 512", "/f, root, 0, INVALID_ARGUMENT, 0",
        "/f, root, 513, INVALID_ARGUMENT, 0", "/f, root, -1, INVALID_ARGUMENT, 0", "/d, root, 3, IS_A_DIRECTORY, 0",
        "/f, anna, 3, PERMISSION_DENIED, 0", "/none, root, 3, NOT_FOUND, 0"
    })
    void aFileKeepsTheNumberOfCopies(String path, String user, int copies, FsError error, int kept) {
        SetAttributesRequest request = SetAttributesRequest.newBuilder()
                .setLocation(Shell.at(path))
                .setReplication(copies)
                .build();
        assertThat(shell.decide(new SetAttributes(), request, Shell.principal(user))
                        .error())
                .isEqualTo(error);
        assertThat(shell.stat("/f").getReplication()).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({"65536, 255, OK", "65537, 255, TOO_LARGE", "0, 255, OK", "1, 256, NAME_TOO_LONG"})
    void extendedAttributesHaveBounds(int valueBytes, int nameBytes, String error) {
        SetXattrRequest request = SetXattrRequest.newBuilder()
                .setLocation(Shell.at("/f"))
                .setName("user." + "n".repeat(nameBytes - 5))
                .setValue(ByteString.copyFrom(new byte[valueBytes]))
                .setCreate(true)
                .build();
        assertThat(shell.decide(
                                new SetXattr(
                                        NamespaceLimits.from(Settings.defaults()),
                                        PartitionLimits.from(Settings.defaults())),
                                request,
                                Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.valueOf(error));
    }

    @ParameterizedTest
    @CsvSource({
        "root, 7, OK",
        "anna, 4, OK",
        "anna, 2, PERMISSION_DENIED",
        "anna, 6, PERMISSION_DENIED",
        "anna, 0, OK",
        "root, 8, INVALID_ARGUMENT"
    })
    void whoAsksIsToldWhetherHeMay(String user, int bits, FsError error) {
        shell.given("chmod 644 /f");
        StatRequest request = StatRequest.newBuilder()
                .setLocation(Shell.at("/f"))
                .setAccess(bits)
                .build();
        assertThat(shell.ask(new Stat(), request, Shell.principal(user)).error())
                .isEqualTo(error);
    }

    /** In bytes: the letter has two. */
    @ParameterizedTest
    @CsvSource({"n, 255, OK", "n, 256, NAME_TOO_LONG", "\u00e4, 127, OK", "\u00e4, 128, NAME_TOO_LONG"})
    void namesOfOwnersAndGroupsHaveABound(String letter, int letters, String error) {
        for (String path : new String[] {"/d", "/f"}) {
            for (String change : new String[] {"chown ", "chgrp "}) {
                assertThat(shell.errorOf("root", change + letter.repeat(letters) + " " + path))
                        .isEqualTo(FsError.valueOf(error));
            }
        }
    }

    @Test
    void anObjectHasSoManyExtendedAttributes() {
        for (int i = 0; i < 256; i++) {
            shell.given("newx user." + i + " /d");
        }
        assertThat(shell.errorOf("root", "newx user.more /d")).isEqualTo(FsError.TOO_LARGE);
        assertThat(shell.errorOf("root", "setx user.7 /d")).isEqualTo(FsError.OK);
        assertThat(shell.xattrs("root", "/d")).hasSize(256);
        Handle directory = new Handle(shell.stat("/d").getHandle());
        shell.given("delete /d");
        assertThat(Xattrs.names(shell.state.view(), directory)).isEmpty();
    }

    @Test
    void anAnswerHasSoManyBytesOfExtendedAttributes() {
        long each = 64 << 10;
        for (int i = 0; i <= GetXattrs.MAX_REPLY_BYTES / each; i++) {
            shell.decide(
                    new SetXattr(NamespaceLimits.from(Settings.defaults()), PartitionLimits.from(Settings.defaults())),
                    SetXattrRequest.newBuilder()
                            .setLocation(Shell.at("/f"))
                            .setName("user." + i)
                            .setValue(ByteString.copyFrom(new byte[(int) each]))
                            .setCreate(true)
                            .build(),
                    Shell.principal("root"));
        }
        assertThat(shell.errorOf("root", "getx /f")).isEqualTo(FsError.TOO_LARGE);
        assertThat(shell.errorOf("root", "getx /f user.1 user.2")).isEqualTo(FsError.OK);
    }

    @Test
    void othersDoNotSeeTrustedAttributes() {
        shell.given("setx user.k /f; setx trusted.t /f");
        assertThat(shell.xattrs("anna", "/f")).containsExactly("user.k");
        assertThat(shell.xattrs("root", "/f")).containsExactlyInAnyOrder("user.k", "trusted.t");
    }

    /** The directory had partitions before. One shard has not undone that it gives names to the home shard. */
    @Test
    void aDirectoryIsNotSpreadWhileAHandOverIsNotUndone() throws InvalidProtocolBufferException {
        shell.cluster = shell.cluster.toBuilder().setShardCount(3).build();
        Handle directory = new Handle(shell.stat("/d").getHandle());
        Partition partition = new Partition(3, 2, Handle.of(Handle.shardOwner(0), 0, 900));
        shell.state.replay(List.of(new MapEntrySet(directory, new MapEntry(partition, true))));
        Reply reply = shell.as("root", "setxattr /d " + DirectoryHints.EXPECTED_FILES + " 60000");
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains(directory.toString());
        assertThat(shell.xattrs("root", "/d")).isEmpty();
        shell.given("setxattr /d " + DirectoryHints.EXPECTED_FILES + " 100");
        assertThat(shell.xattrs("root", "/d")).as("few files").hasSize(1);
    }
}
