package io.steadfs.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Spoils the bytes of a protobuf message, knowing its wire format: fields are left out, repeated, put in another order or
 * under other numbers and types, varints are as large or as long as they get, lengths lie, text is no UTF-8, messages
 * are nested without end.
 */
final class WireFields {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int START_GROUP = 3;
    private static final int MOST_BYTES = 1 << 16;

    /** What a field's value begins at, and the field's bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Field(int tag, byte[] bytes, int valueAt) {
        int type() {
            return tag & 7;
        }

        byte[] value() {
            return Bits.tail(bytes, valueAt);
        }
    }

    private WireFields() {}

    static byte[] spoiled(RandomGenerator random, byte[] message) {
        List<Field> fields = split(message);
        if (fields.isEmpty()) {
            return unknown(random);
        }
        int at = random.nextInt(fields.size());
        List<byte[]> parts = new ArrayList<>();
        for (Field field : fields) {
            parts.add(field.bytes());
        }
        switch (random.nextInt(8)) {
            case 0 -> parts.remove(at);
            case 1 -> parts.add(repeated(random, parts.get(at)));
            case 2 -> parts.add(parts.remove(random.nextInt(parts.size())));
            case 3 -> parts.add(unknown(random));
            case 4 -> parts.set(at, retagged(random, fields.get(at)));
            case 5 -> parts.add(nested(random, fields.get(at).tag() >>> 3));
            default -> parts.set(at, otherValue(random, fields.get(at)));
        }
        return Bits.join(parts.toArray(byte[][]::new));
    }

    private static byte[] otherValue(RandomGenerator random, Field field) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, field.tag());
        byte[] value = field.value();
        switch (field.type()) {
            case VARINT -> {
                if (random.nextInt(4) == 0) {
                    // More bytes than any number needs, or no end at all.
                    for (int i = random.nextInt(12); i >= 0; i--) {
                        out.write(0xff);
                    }
                    out.write(random.nextInt(3));
                } else {
                    varint(out, Bits.edge(random));
                }
            }
            case LENGTH_DELIMITED -> {
                byte[] content = content(value);
                byte[] other = switch (random.nextInt(4)) {
                    case 0 -> spoiled(random, content);
                    case 1 -> new byte[] {(byte) 0xc0, (byte) 0x80, (byte) 0xff, (byte) 0xed, (byte) 0xa0};
                    case 2 -> Bits.spoiledOnce(random, content, content);
                    default -> content;
                };
                varint(out, random.nextInt(3) == 0 ? Bits.edge(random) : other.length);
                out.writeBytes(other);
            }
            default -> out.writeBytes(Bits.spoiledOnce(random, value, value));
        }
        return out.toByteArray();
    }

    private static byte[] content(byte[] value) {
        int at = 0;
        while (at < value.length && value[at] < 0) {
            at++;
        }
        return at < value.length ? Bits.tail(value, at + 1) : value;
    }

    private static byte[] repeated(RandomGenerator random, byte[] field) {
        int count = Math.max(1, Math.min(1 << random.nextInt(15), MOST_BYTES / field.length));
        byte[] all = new byte[count * field.length];
        for (int i = 0; i < count; i++) {
            System.arraycopy(field, 0, all, i * field.length, field.length);
        }
        return all;
    }

    private static byte[] retagged(RandomGenerator random, Field field) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, random.nextBoolean() ? (field.tag() & ~7) | random.nextInt(8) : random.nextInt(1 << 10));
        out.writeBytes(field.value());
        return out.toByteArray();
    }

    private static byte[] unknown(RandomGenerator random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, random.nextInt(4) == 0 ? Bits.edge(random) : random.nextInt() & 0xffff_ffffL);
        out.writeBytes(Bits.noise(random));
        return out.toByteArray();
    }

    /** Groups or messages, one in the other. */
    private static byte[] nested(RandomGenerator random, int number) {
        int depth = 1 << random.nextInt(13);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (random.nextBoolean()) {
            for (int i = 0; i < depth; i++) {
                varint(out, (long) number << 3 | START_GROUP);
            }
            return out.toByteArray();
        }
        byte[] inner = {};
        for (int i = 0; i < Math.min(depth, 200); i++) {
            out.reset();
            varint(out, (long) number << 3 | LENGTH_DELIMITED);
            varint(out, inner.length);
            out.writeBytes(inner);
            inner = out.toByteArray();
        }
        return inner;
    }

    /** As far as it is well formed. */
    private static List<Field> split(byte[] message) {
        List<Field> fields = new ArrayList<>();
        int at = 0;
        while (at < message.length) {
            int tagEnd = varintEnd(message, at);
            int tag = (int) varintAt(message, at);
            int end = switch (tag & 7) {
                case VARINT -> varintEnd(message, tagEnd);
                case 1 -> tagEnd + 8;
                case LENGTH_DELIMITED ->
                    (int) Math.min(Integer.MAX_VALUE, varintEnd(message, tagEnd) + varintAt(message, tagEnd));
                case 5 -> tagEnd + 4;
                default -> Integer.MAX_VALUE;
            };
            if (end > message.length || end <= at) {
                return fields;
            }
            byte[] bytes = new byte[end - at];
            System.arraycopy(message, at, bytes, 0, bytes.length);
            fields.add(new Field(tag, bytes, tagEnd - at));
            at = end;
        }
        return fields;
    }

    private static int varintEnd(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && bytes[at] < 0) {
            at++;
        }
        return at + 1;
    }

    private static long varintAt(byte[] bytes, int from) {
        long value = 0;
        for (int at = from, shift = 0; at < bytes.length && shift < 64; at++, shift += 7) {
            value |= (bytes[at] & 0x7fL) << shift;
            if (bytes[at] >= 0) {
                break;
            }
        }
        return value;
    }

    static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
