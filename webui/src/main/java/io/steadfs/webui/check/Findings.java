package io.steadfs.webui.check;

import com.google.protobuf.ByteString;
import io.steadfs.fsck.FindingKind;
import io.steadfs.fsck.Work;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.problem.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The findings of a check, ordered by pass, then by kind, then by row. */
final class Findings {
    /** The form of a cursor: the number of the pass, and the key of the last finding. */
    private static final Pattern CURSOR = Pattern.compile("(?<pass>[0-9]{1,4})/(?<key>([0-9a-f]{2})*)");

    private static final int PAGE = 1_000;
    /**
     * The largest number of findings that one answer looks at. If a search reaches this limit, the answer contains a
     * cursor for the next request.
     */
    private static final int MOST_LOOKED = 20_000;

    private final Runs runs;
    private final RunState run;

    Findings(Runs runs, RunState run) {
        this.runs = runs;
        this.run = run;
    }

    /** Receives findings one by one. Returns whether the receiver wants more findings. */
    interface Taker {
        boolean take(FindingView finding) throws IOException;
    }

    /** Gives all findings to the taker. Only one part of the findings is in memory at a time. */
    void all(Taker taker) throws IOException {
        boolean more = true;
        for (int pass = 1; more && pass <= run.pass(); pass++) {
            ByteString behind = ByteString.EMPTY;
            boolean left = true;
            while (more && left) {
                List<Work.Told> page = part(pass, Optional.empty(), behind);
                for (Work.Told each : page) {
                    more = more && taker.take(FindingView.of(pass, each));
                    behind = each.key();
                }
                left = page.size() == PAGE;
            }
        }
    }

    private List<Work.Told> part(int pass, Optional<FindingKind> kind, ByteString behind) throws IOException {
        return runs.look(run, pass, work -> work.told(kind, behind, PAGE));
    }

    /** @param pass the only pass to search; empty = all passes */
    Page<FindingView> page(Asked asked, Optional<Integer> pass, Optional<FindingKind> kind) throws IOException {
        int from = pass.orElse(1);
        ByteString behind = ByteString.EMPTY;
        if (!asked.cursor().isEmpty()) {
            Matcher cursor = CURSOR.matcher(asked.cursor());
            if (!cursor.matches()) {
                throw Refusal.badRequest("cursor: '" + asked.cursor() + "' is none of this list");
            }
            from = Math.max(from, Integer.parseInt(cursor.group("pass")));
            behind = ByteString.copyFrom(HexFormat.of().parseHex(cursor.group("key")));
        }
        List<FindingView> items = new ArrayList<>();
        int looked = 0;
        for (int each = from; each <= pass.orElse(run.pass()); each++) {
            boolean left = true;
            while (left) {
                List<Work.Told> part = part(each, kind, behind);
                for (Work.Told told : part) {
                    if (items.size() == asked.limit() || looked == MOST_LOOKED) {
                        return new Page<>(items, cursor(each, behind), null);
                    }
                    FindingView view = FindingView.of(each, told);
                    if (asked.finds(
                            view.kind(), view.server(), view.object(), view.other(), view.path(), view.what())) {
                        items.add(view);
                    }
                    looked++;
                    behind = told.key();
                }
                left = part.size() == PAGE;
            }
            behind = ByteString.EMPTY;
        }
        return new Page<>(items, null, null);
    }

    private static String cursor(int pass, ByteString behind) {
        return pass + "/" + HexFormat.of().formatHex(behind.toByteArray());
    }
}
