package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnrolmentTest extends ZooKeeperTest {
    EnrolmentTest(@TempDir Path directory) {
        super(directory);
    }

    private StoreIdentity enrol(ServerId server, String name, boolean replaceStore) throws Exception {
        try (DataDirectory data = DataDirectory.open(directory.resolve(name));
                Membership membership = Membership.open(settings, server, data, replaceStore)) {
            return membership.identity();
        }
    }

    private StoreIdentity enrol(ServerId server, String name) throws Exception {
        return enrol(server, name, false);
    }

    @Test
    void aServerKeepsItsIdentity() throws Exception {
        FileSystemFormat format = format();
        StoreIdentity first = enrol(ServerId.io(3), "a");
        assertThat(first.fileSystem()).isEqualTo(format.fileSystem());
        assertThat(first.server()).isEqualTo("io-3");
        assertThat(enrol(ServerId.io(3), "a")).isEqualTo(first);
        assertThat(enrol(ServerId.io(4), "b")).isNotEqualTo(first);
    }

    @Test
    void directoryOfAnotherFileSystem() throws Exception {
        FileSystemFormat first = format();
        enrol(ServerId.io(3), "a");
        FileSystemFormat second = format();
        assertThatThrownBy(() -> enrol(ServerId.io(3), "a"))
                .isInstanceOf(MembershipException.class)
                .hasMessageContaining(first.fileSystem().toString())
                .hasMessageContaining(second.fileSystem().toString());
    }

    @Test
    void directoryOfAnotherServer() throws Exception {
        format();
        enrol(ServerId.io(3), "a");
        assertThatThrownBy(() -> enrol(ServerId.io(4), "a"))
                .hasMessageContaining("belongs to server io-3, but this is server io-4");
        assertThatThrownBy(() -> enrol(ServerId.mds(3), "a")).hasMessageContaining("this is server mds-3");
    }

    @Test
    void directoryOfTheSameServerWithAnotherStore() throws Exception {
        format();
        StoreIdentity first = enrol(ServerId.io(3), "a");
        StoreIdentity other = enrol(ServerId.io(4), "b");
        Path identity = directory.resolve("b/identity.json");
        Files.writeString(identity, Files.readString(identity).replace("io-4", "io-3"));
        assertThatThrownBy(() -> enrol(ServerId.io(3), "b"))
                .hasMessageContaining(first.store().toString())
                .hasMessageContaining(other.store().toString());
    }

    @Test
    void emptyDirectoryOfAKnownServer() throws Exception {
        format();
        StoreIdentity first = enrol(ServerId.io(3), "a");
        assertThatThrownBy(() -> enrol(ServerId.io(3), "empty"))
                .hasMessageContaining("is empty, but server io-3 is registered with store " + first.store());
        StoreIdentity replaced = enrol(ServerId.io(3), "empty", true);
        assertThat(replaced.store()).isNotEqualTo(first.store());
        assertThat(enrol(ServerId.io(3), "empty")).isEqualTo(replaced);
        assertThatThrownBy(() -> enrol(ServerId.io(3), "a")).hasMessageContaining("registered with store");
    }

    @Test
    void lostNodeIsWrittenAgain() throws Exception {
        format();
        StoreIdentity first = enrol(ServerId.io(3), "a");
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            tree.client().delete().forPath(tree.server(ServerId.io(3)));
        }
        assertThat(enrol(ServerId.io(3), "a")).isEqualTo(first);
        assertThatThrownBy(() -> enrol(ServerId.io(3), "empty")).hasMessageContaining("is registered with store");
    }

    @Test
    void directoryInUse() throws Exception {
        format();
        try (DataDirectory held = DataDirectory.open(directory.resolve("a"))) {
            assertThatThrownBy(() -> DataDirectory.open(directory.resolve("a")).close())
                    .isInstanceOf(MembershipException.class)
                    .hasMessage("data directory " + held.path() + " is in use by another server");
        }
        DataDirectory.open(directory.resolve("a")).close();
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> DataDirectory.open(file).close()).hasMessageContaining("is not a directory");
    }

    @Test
    void damagedIdentityIsNamed() throws Exception {
        format();
        enrol(ServerId.io(3), "a");
        Files.writeString(directory.resolve("a/identity.json"), "{\"fileSystem\":");
        assertThatThrownBy(() -> enrol(ServerId.io(3), "a"))
                .isInstanceOf(MembershipException.class)
                .hasMessageContaining("identity.json");
    }
}
