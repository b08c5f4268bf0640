/** What is delivered beside the code: the manifests and the container. */
@NullMarked
package io.tablecast.deploy;

import org.jspecify.annotations.NullMarked;
