package io.steadfs.hadoop;

import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;

/**
 * Reads the option {@code fs.option.openfile.length}, in which the opener of a file gives the file's length. The length is a hint. Some
 * callers give a floating point number. A value that is no number is ignored.
 */
final class ToldLength {
    private ToldLength() {}

    /** The length in bytes. Empty if none was given, or if no file can have the given length. */
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
            // A number beyond the greatest long becomes the greatest long: no file is longer.
            return Double.isNaN(length) ? OptionalLong.empty() : ofAtLeastZero((long) length);
        } catch (NumberFormatException noNumber) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong ofAtLeastZero(long length) {
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }
}
