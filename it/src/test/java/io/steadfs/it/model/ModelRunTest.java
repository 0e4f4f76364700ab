package io.steadfs.it.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.reference.ReferenceFs;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison itself, on two references: it runs far and wide, and it finds a difference. */
class ModelRunTest {
    private final ReferenceFs tested = ReferenceFs.format("operator");
    private final ModelRun run = new ModelRun(
            1, FsPath.ROOT, new ModelRun.User("operator", List.of(), tested), List.of(user("alice"), user("bob")));

    private ModelRun.User user(String name) {
        return new ModelRun.User(name, List.of("staff"), tested.as(name, List.of("staff")));
    }

    @Test
    void theSameRulesAgreeAndEveryOutcomeIsMet() throws IOException {
        run.prepare();
        run.run(20_000);
        run.finish();
        run.compareAll();

        assertThat(run.filesWithBytes()).isPositive();
        assertThat(run.outcomes())
                .containsKeys(
                        "WriteFile done",
                        "WriteFile refused ALREADY_EXISTS",
                        "WriteFile refused IS_A_DIRECTORY",
                        "WriteFile refused NOT_A_DIRECTORY",
                        "WriteFile refused PERMISSION_DENIED",
                        "WriteFile refused NOT_FOUND",
                        "Mkdirs done",
                        "Mkdirs refused ALREADY_EXISTS",
                        "Rename done",
                        "Rename refused INVALID_RENAME",
                        "Rename refused NOT_EMPTY",
                        "Delete done",
                        "Delete refused NOT_EMPTY",
                        "Append refused NOT_FOUND",
                        "SetXattr refused XATTR_EXISTS",
                        "RemoveXattr refused XATTR_NOT_FOUND",
                        "ListTree done");
    }

    @Test
    void aDifferenceStopsTheRunAndTellsTheSeed() throws IOException {
        run.prepare();
        run.run(100);
        run.plantDifference(FsPath.parse("/planted"));

        assertThatThrownBy(run::compareAll)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dstead.seed=1")
                .hasMessageContaining("step 1")
                .hasMessageContaining("ListTree")
                .hasMessageContaining("planted");
    }
}
