package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.List;

/** Tries every order of a few operations. */
final class EveryOrder {
    private EveryOrder() {}

    /** Whether one of them explains all answers. */
    static boolean explains(List<Operation> operations) {
        return explains(new PlainNames(), operations);
    }

    private static boolean explains(PlainNames names, List<Operation> left) {
        if (left.stream().allMatch(EveryOrder::unknown)) {
            return true;
        }
        long firstEnd = left.stream()
                .filter(operation -> !unknown(operation))
                .mapToLong(Operation::endNanos)
                .min()
                .orElseThrow();
        for (Operation next : left) {
            if (next.beginNanos() > firstEnd) {
                continue;
            }
            List<Operation> rest = new ArrayList<>(left);
            rest.remove(next);
            if (unknown(next) || names.allows(next.action(), next.answer())) {
                PlainNames after = names.copy();
                if (!(next.answer() instanceof Answer.Refused)) {
                    after.apply(next.action());
                }
                if (explains(after, rest)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean unknown(Operation operation) {
        return operation.answer() instanceof Answer.Unknown;
    }
}
