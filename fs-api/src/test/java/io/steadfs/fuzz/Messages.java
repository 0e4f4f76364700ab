package io.steadfs.fuzz;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Makes the bytes of protobuf messages of a type: fields are set or not, at random, to values that mean something or are at
 * the edge of what their type holds. Some are then spoiled, knowing the wire format or not knowing it. Belongs to one thread.
 */
public final class Messages {
    private static final int MOST_NESTED = 4;
    private static final int MANY = 2000;
    private static final int SOME = 70;

    private final Words words;
    private final Map<Descriptor, FieldDescriptor[]> fields = new HashMap<>();

    public Messages(Words words) {
        this.words = words;
    }

    /** Bytes that mostly are a message of the type. */
    public byte[] bytes(RandomGenerator random, MessageLite type) {
        int choice = random.nextInt(100);
        if (choice < 3) {
            return Bits.noise(random);
        }
        byte[] good = message(random, ((Message) type).getDescriptorForType(), 0);
        if (choice < 65) {
            return good;
        }
        if (choice < 85) {
            return WireFields.spoiled(random, good);
        }
        return Bits.spoiledOnce(random, good, good);
    }

    /** Bytes of the message, with something wrong as it stands on the wire. */
    public byte[] spoiled(RandomGenerator random, MessageLite good) {
        byte[] bytes = good.toByteArray();
        for (int i = random.nextInt(3); i >= 0; i--) {
            bytes = random.nextInt(4) == 0 ? Bits.spoiledOnce(random, bytes, bytes) : WireFields.spoiled(random, bytes);
        }
        return bytes;
    }

    private byte[] message(RandomGenerator random, Descriptor type, int depth) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int often = depth == 0 ? 8 : 1 + random.nextInt(8);
        for (FieldDescriptor field :
                fields.computeIfAbsent(type, of -> of.getFields().toArray(FieldDescriptor[]::new))) {
            if (random.nextInt(8) >= often) {
                continue;
            }
            int count = field.isRepeated() ? count(random) : Math.min(1, random.nextInt(8));
            for (int i = 0; i < count; i++) {
                field(random, field, depth, out);
            }
        }
        return out.toByteArray();
    }

    private static int count(RandomGenerator random) {
        int choice = random.nextInt(1024);
        return choice == 0 ? random.nextInt(MANY) : choice < 10 ? random.nextInt(SOME) : random.nextInt(3);
    }

    private void field(RandomGenerator random, FieldDescriptor field, int depth, ByteArrayOutputStream out) {
        switch (field.getType()) {
            case INT32, INT64, UINT32, UINT64 -> varint(field, words.number(random), out);
            case BOOL -> varint(field, random.nextInt(2), out);
            case ENUM -> varint(field, random.nextInt(8) == 0 ? Bits.edge(random) : random.nextInt(5), out);
            case FIXED64, DOUBLE -> fixed(field, 1, words.number(random), Long.BYTES, out);
            case FIXED32 -> fixed(field, 5, words.number(random), Integer.BYTES, out);
            case STRING -> bytes(field, words.text(random).getBytes(StandardCharsets.UTF_8), out);
            case BYTES -> bytes(field, Bits.noise(random), out);
            case MESSAGE ->
                bytes(
                        field,
                        depth < MOST_NESTED ? message(random, field.getMessageType(), depth + 1) : new byte[0],
                        out);
            default -> throw new IllegalArgumentException("no message of ours has " + field);
        }
    }

    private static void varint(FieldDescriptor field, long value, ByteArrayOutputStream out) {
        WireFields.varint(out, (long) field.getNumber() << 3);
        WireFields.varint(out, value);
    }

    private static void fixed(FieldDescriptor field, int wireType, long value, int width, ByteArrayOutputStream out) {
        WireFields.varint(out, ((long) field.getNumber() << 3) | wireType);
        for (int i = 0; i < width; i++) {
            out.write((int) (value >>> (8 * i)));
        }
    }

    private static void bytes(FieldDescriptor field, byte[] value, ByteArrayOutputStream out) {
        WireFields.varint(out, ((long) field.getNumber() << 3) | 2);
        WireFields.varint(out, value.length);
        out.writeBytes(value);
    }
}
