package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An object that the check must look at again, because servers answered at different moments.
 *
 * @param above the directories on the way from a directory's parent up to the directory itself; empty if the directory
 *     is not below itself
 */
record Suspect(Handle object, Why why, List<Handle> above) {
    enum Why {
        /** The check found no name that leads to the object. */
        NAMELESS(1),
        /** Names lead to the object, but the names and the object contradict each other. */
        ODD(2),
        /** The way up from the directory, from parent to parent, comes back to the directory itself. */
        BELOW_ITSELF(3);

        private final byte number;

        Why(int number) {
            this.number = (byte) number;
        }

        private static Why of(byte number) {
            return Arrays.stream(values())
                    .filter(each -> each.number == number)
                    .findAny()
                    .orElseThrow(() -> new IllegalStateException("a suspect for reason " + number));
        }
    }

    Suspect {
        above = List.copyOf(above);
    }

    Suspect(Handle object, Why why) {
        this(object, why, List.of());
    }

    byte[] encode() {
        ByteBuffer value = ByteBuffer.allocate(1 + above.size() * Long.BYTES).put(why.number);
        above.forEach(each -> value.putLong(each.value()));
        return value.array();
    }

    static Suspect decode(Handle object, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        Why why = Why.of(in.get());
        List<Handle> above = new ArrayList<>();
        while (in.hasRemaining()) {
            above.add(new Handle(in.getLong()));
        }
        return new Suspect(object, why, above);
    }
}
