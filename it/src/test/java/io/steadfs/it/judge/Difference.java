package io.steadfs.it.judge;

/** What the two sides answered, and should have answered alike. */
record Difference(Step step, Answer judge, Answer ours) {
    /** Differences of one shape have most likely one cause. */
    String shape() {
        return step.name() + ": " + shape(judge) + " / " + shape(ours)
                + (judge.text().equals(ours.text()) ? " without the path" : "");
    }

    private static String shape(Answer answer) {
        String text = answer.text();
        return answer.failed() || text.length() <= 12 ? text : text.substring(0, text.indexOf(' ') + 1) + "...";
    }

    @Override
    public String toString() {
        return step + "\n    HDFS:    " + judge + "\n    SteadFS: " + ours;
    }
}
