/*@
 * what:    setopt("quiet", "no") prints later lines with prefix again
 */
BEGIN { trace(1); setopt("quiet", "no"); }
BEGIN { trace(2); exit(0); }
