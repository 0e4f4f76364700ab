package io.steadfs.mds.op.ground;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.attribute.SetXattr;
import io.steadfs.mds.op.layout.WithinBlockFloor;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.CreateMetafile;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is new is refused beyond a bound that was lowered or raised; what is there stays. */
class NamespaceLimitsTest {
    private final Shell shell = new Shell();

    private static NamespaceLimits limits(String... keysAndValues) {
        Map<String, String> settings = keysAndValues.length == 2
                ? Map.of(keysAndValues[0], keysAndValues[1])
                : Map.of(keysAndValues[0], keysAndValues[1], keysAndValues[2], keysAndValues[3]);
        return NamespaceLimits.from(Settings.of(settings));
    }

    private Reply create(NamespaceLimits most, String path) {
        Operation<CreateRequest> create =
                WithinNameLimits.of(Kind.CREATE, most, CreateRequest::getLocation, new CreateFile(0));
        CreateRequest request = CreateRequest.newBuilder()
                .setLocation(Shell.at(path))
                .setMode(0644)
                .setCreateParents(true)
                .build();
        return shell.decide(create, request, Shell.principal("root"));
    }

    @ParameterizedTest
    @CsvSource({
        "/nnnnnnnn, OK", "/nnnnnnnnn, NAME_TOO_LONG", "/\u00e4\u00e4\u00e4\u00e4, OK",
                "/\u00e4\u00e4\u00e4\u00e4n, NAME_TOO_LONG",
        "/nnnnnnnnn/f, NAME_TOO_LONG", "/a/b/c, OK", "/a/b/c/d, NAME_TOO_LONG", "/a//b, INVALID_ARGUMENT"
    })
    void pathsAreBounded(String path, FsError error) {
        NamespaceLimits most = limits("stead.mds.name.bytes", "8", "stead.mds.path.names", "3");
        assertThat(create(most, path).error()).isEqualTo(error);
    }

    @Test
    void theRefusalNamesKeyAndValue() {
        assertThat(create(limits("stead.mds.name.bytes", "8"), "/nnnnnnnnn")
                        .header()
                        .getMessage())
                .isEqualTo("a name of 9 bytes, at most 8 (stead.mds.name.bytes): 'nnnnnnnnn'");
        assertThat(create(limits("stead.mds.path.names", "1"), "/a/b").header().getMessage())
                .isEqualTo("a path of 2 names, at most 1 (stead.mds.path.names)");
    }

    @Test
    void theTargetOfARenameIsBoundedAndItsSourceIsNot() {
        shell.given("mkdirs /directory");
        Operation<RenameRequest> rename = WithinNameLimits.of(
                Kind.RENAME, limits("stead.mds.name.bytes", "4"), RenameRequest::getTarget, new RenamePath());
        RenameRequest.Builder request = RenameRequest.newBuilder().setSource(Shell.at("/directory"));
        assertThat(shell.decide(rename, request.setTarget(Shell.at("/other")).build(), Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.NAME_TOO_LONG);
        assertThat(shell.decide(rename, request.setTarget(Shell.at("/less")).build(), Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.OK);
    }

    @Test
    void theDefaultsAllowWhatCanBeRead() {
        Operation<CreateRequest> create = new CreateFile(0);
        assertThat(WithinNameLimits.of(
                        Kind.CREATE, NamespaceLimits.from(Settings.defaults()), CreateRequest::getLocation, create))
                .isSameAs(create);
    }

    @ParameterizedTest
    @CsvSource({
        "0, OK",
        "1, INVALID_ARGUMENT",
        "1048575, INVALID_ARGUMENT",
        "1048576, OK",
        "1099511627776, OK",
        "-1, INVALID_ARGUMENT"
    })
    void blocksAreNotBelowTheFloor(long blockSize, FsError error) {
        NamespaceLimits most = NamespaceLimits.from(Settings.defaults());
        assertThat(createWithBlocks(most, blockSize).error()).isEqualTo(error);
        Operation<CreateMetafileRequest> metafile = new WithinBlockFloor<>(
                Kind.CREATE_METAFILE, most, CreateMetafileRequest::getBlockSize, new CreateMetafile());
        CreateMetafileRequest request =
                CreateMetafileRequest.newBuilder().setBlockSize(blockSize).build();
        assertThat(shell.decide(metafile, request, Shell.principal("root")).error())
                .isEqualTo(error);
    }

    private Reply createWithBlocks(NamespaceLimits most, long blockSize) {
        Operation<CreateRequest> create =
                new WithinBlockFloor<>(Kind.CREATE, most, CreateRequest::getBlockSize, new CreateFile(0));
        CreateRequest request = CreateRequest.newBuilder()
                .setLocation(Shell.at("/f"))
                .setBlockSize(blockSize)
                .build();
        return shell.decide(create, request, Shell.principal("root"));
    }

    @Test
    void theFloorOfBlocksIsNamedAndMayBeSet() {
        assertThat(createWithBlocks(NamespaceLimits.from(Settings.defaults()), 4096)
                        .header()
                        .getMessage())
                .isEqualTo("block size 4096 is below the least one of 1048576 bytes (stead.mds.block.size.min)");
        NamespaceLimits lower = NamespaceLimits.from(Settings.of(Map.of("stead.mds.block.size.min", "1")));
        assertThat(createWithBlocks(lower, 1).error()).isEqualTo(FsError.OK);
    }

    private FsError setXattr(NamespaceLimits most, String name, int bytes) {
        SetXattrRequest request = SetXattrRequest.newBuilder()
                .setLocation(Shell.at("/d"))
                .setName(name)
                .setValue(ByteString.copyFrom(new byte[bytes]))
                .setCreate(true)
                .setReplace(true)
                .build();
        return shell.decide(
                        new SetXattr(most, PartitionLimits.from(Settings.defaults())), request, Shell.principal("root"))
                .error();
    }

    @Test
    void extendedAttributesAreBounded() {
        shell.given("mkdirs /d");
        NamespaceLimits values = limits("stead.mds.xattr.value.bytes", "70000", "stead.mds.xattr.name.bytes", "8");
        assertThat(setXattr(values, "user.abc", 70_000)).as("raised").isEqualTo(FsError.OK);
        assertThat(setXattr(values, "user.abc", 70_001)).isEqualTo(FsError.TOO_LARGE);
        assertThat(setXattr(values, "user.abcd", 1)).isEqualTo(FsError.NAME_TOO_LONG);
        NamespaceLimits few = limits("stead.mds.xattrs", "2");
        assertThat(setXattr(few, "user.b", 1)).isEqualTo(FsError.OK);
        assertThat(setXattr(few, "user.c", 1)).isEqualTo(FsError.TOO_LARGE);
        assertThat(setXattr(few, "user.b", 2)).as("replaced").isEqualTo(FsError.OK);
        assertThat(setXattr(limits("stead.mds.xattrs", "3"), "user.c", 1)).isEqualTo(FsError.OK);
    }
}
