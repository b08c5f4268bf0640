/**
 * Tablecast as pages in a real browser see it. The browser is Chromium; where it is not installed
 * these tests are skipped.
 */
@NullMarked
package io.tablecast.browser;

import org.jspecify.annotations.NullMarked;
