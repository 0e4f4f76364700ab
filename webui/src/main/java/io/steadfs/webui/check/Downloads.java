package io.steadfs.webui.check;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes all findings of a check to one file. The writer does not wait until all findings are in memory. */
final class Downloads {
    /** A spreadsheet program interprets a text as a formula if the text begins with one of these characters. */
    private static final String FORMULA = "=+-@\t\r";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Downloads() {}

    /** Writes CSV as RFC 4180 defines it. */
    static void csv(Findings findings, OutputStream to) throws IOException {
        Writer out = new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8));
        out.write(line(List.of(
                "pass",
                "kind",
                "server",
                "object",
                "other",
                "key",
                "table",
                "until",
                "path",
                "what",
                "repaired",
                "done",
                "removed")));
        findings.all(each -> {
            FindingView.Done repair = each.repair();
            out.write(line(List.of(
                    Integer.toString(each.pass()),
                    each.kind(),
                    each.server(),
                    each.object(),
                    each.other(),
                    each.key(),
                    each.table(),
                    each.until(),
                    each.path(),
                    each.what(),
                    repair == null ? "" : Boolean.toString(repair.repaired()),
                    repair == null ? "" : repair.done(),
                    repair == null ? "" : repair.removed())));
            return true;
        });
        out.flush();
    }

    private static String line(List<String> fields) {
        StringBuilder line = new StringBuilder();
        for (String field : fields) {
            boolean isFormula = !field.isEmpty() && FORMULA.indexOf(field.charAt(0)) >= 0;
            line.append(line.isEmpty() ? "\"" : ",\"")
                    .append(isFormula ? "'" : "")
                    .append(field.replace("\"", "\"\""))
                    .append('"');
        }
        return line.append("\r\n").toString();
    }

    /** Writes the findings as one JSON array of objects. */
    static void json(Findings findings, OutputStream to) throws IOException {
        // The generator stays open after a failure. If the method closed the generator, the array would get its end,
        // and an incomplete array would look complete.
        JsonGenerator out = JSON.createGenerator(to);
        out.writeStartArray();
        findings.all(each -> {
            out.writeObject(each);
            return true;
        });
        out.writeEndArray();
        out.flush();
    }
}
