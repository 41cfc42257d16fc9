/*@
 * what:    trunc(@) removes every key, and also the entry of an aggregation without keys
 */
BEGIN { @a["x"] = count(); @b = count(); @c = count(); trunc(@a); trunc(@b); exit(0); }
