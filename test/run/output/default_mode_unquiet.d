/*@
 * what:    setopt("quiet", "no") restores the line prefix
 */
BEGIN { trace(1); setopt("quiet", "no"); }
BEGIN { trace(2); exit(0); }
