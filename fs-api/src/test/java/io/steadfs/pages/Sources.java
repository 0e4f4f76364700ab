package io.steadfs.pages;

import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The classes of a module, by their sources. */
public final class Sources {
    private Sources() {}

    /** Names of the classes in the package of this type that are of it, without abstract ones. */
    public static List<String> ofType(String module, Class<?> type) throws ClassNotFoundException {
        String folder = module + "/src/main/java/" + type.getPackageName().replace('.', '/');
        List<String> names = new ArrayList<>();
        for (String file : Repository.files(".java")) {
            Path source = Path.of(file);
            String name = source.getFileName().toString().replace(".java", "");
            if (folder.equals(String.valueOf(source.getParent())) && !name.equals("package-info")) {
                Class<?> found = Class.forName(type.getPackageName() + "." + name);
                if (type.isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers())) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
