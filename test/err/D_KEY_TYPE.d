/* @tag: D_KEY_TYPE
 * void/dynamic key */
BEGIN { @[trace(0)] = count(); }
