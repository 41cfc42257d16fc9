/*@
 * what:    trunc() without a count removes every key, and also the value of an aggregation without keys
 */
BEGIN { @a["x"] = count(); @b = count(); @c = count(); trunc(@a); trunc(@b); exit(0); }
