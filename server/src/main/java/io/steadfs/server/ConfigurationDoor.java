package io.steadfs.server;

import io.steadfs.config.Settings;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ConfigurationReply;

/**
 * Answers CONFIGURATION requests with the settings of the process, and with the place where each setting is set. The
 * door answers in every state of the server. All other requests go to the server.
 */
public final class ConfigurationDoor implements RequestHandler {
    private final RequestHandler door;
    private final ConfigurationReply answer;

    /** @param settings the settings of the process, with all keys that the process understands */
    public ConfigurationDoor(RequestHandler door, Settings settings) {
        this.door = door;
        ConfigurationReply.Builder reply = ConfigurationReply.newBuilder();
        for (Settings.Told told : settings.told()) {
            reply.addValues(ConfigurationReply.Value.newBuilder()
                    .setKey(told.key().name())
                    .setValue(told.value())
                    .setDefaultValue(told.key().defaultText())
                    .setUnit(told.key().unit())
                    .setMeaning(told.key().meaning())
                    .setOrigin(told.origin()));
        }
        this.answer = reply.build();
    }

    @Override
    public void handle(Call call) {
        if (call.request().kind() == Kind.CONFIGURATION) {
            call.request().payload().release();
            call.reply(Reply.ok(answer));
        } else {
            door.handle(call);
        }
    }
}
