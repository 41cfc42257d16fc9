/*@
 * what:    setopt("quiet", "no") brings the lines back
 */
BEGIN { trace(1); setopt("quiet", "no"); }
BEGIN { trace(2); exit(0); }
