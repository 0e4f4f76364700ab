package io.steadfs.webui.description;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;

/** The description of this interface, OpenAPI 3.1. */
@Path("openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class DescriptionResource {
    private static final String FILE = "openapi.json";

    @GET
    public byte[] description() throws IOException {
        try (InputStream file = DescriptionResource.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException(FILE + " is not on the class path");
            }
            return file.readAllBytes();
        }
    }
}
