package io.steadfs.hadoop;

import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;

/**
 * Reads the option {@code fs.option.openfile.length}. A caller that opens a file may give the length of the file by
 * this option. The length is a hint. Some callers give a floating-point number. A value that is not a number is
 * ignored.
 */
final class ToldLength {
    private ToldLength() {}

    /** The length in bytes. Empty if the caller gave no length, or gave a length that no file can have. */
    static OptionalLong of(Configuration options) {
        String text = options.getTrimmed(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, "");
        try {
            return ofAtLeastZero(Long.parseLong(text));
        } catch (NumberFormatException notWhole) {
            return ofFloatingPoint(text);
        }
    }

    private static OptionalLong ofFloatingPoint(String text) {
        try {
            double length = Double.parseDouble(text);
            // The cast turns a number above the greatest long into the greatest long. No file is longer.
            return Double.isNaN(length) ? OptionalLong.empty() : ofAtLeastZero((long) length);
        } catch (NumberFormatException noNumber) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong ofAtLeastZero(long length) {
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }
}
