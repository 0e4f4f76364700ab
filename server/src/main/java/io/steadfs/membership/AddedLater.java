package io.steadfs.membership;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A component of a record in ZooKeeper that earlier releases did not write. {@link Json} fills it in when it is missing. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface AddedLater {
    /** The value that a missing component has, as JSON. */
    String value();
}
