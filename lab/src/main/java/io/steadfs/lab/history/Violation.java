package io.steadfs.lab.history;

import java.util.List;

/**
 * Operations whose answers no order explains.
 *
 * @param names names that the operations concern
 * @param enough operations whose answers suffice to show the violation, sorted by begin
 * @param others operations that may have been done at the same time, and do not explain the answers either
 */
public record Violation(List<String> names, List<Operation> enough, List<Operation> others) {
    private static final int MOST_TOLD = 12;

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.join(", ", names));
        text.append(": no order of these operations explains what they answered");
        append(text, enough);
        if (!others.isEmpty()) {
            text.append("\nneither do these explain it, done at any time after they began, or never");
            append(text, others);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<Operation> operations) {
        text.append(':');
        operations.stream()
                .limit(MOST_TOLD)
                .forEach(operation -> text.append("\n  ").append(operation));
        if (operations.size() > MOST_TOLD) {
            text.append("\n  and ").append(operations.size() - MOST_TOLD).append(" more");
        }
    }
}
