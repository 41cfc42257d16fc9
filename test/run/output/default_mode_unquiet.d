/*@
 * what:    after setopt("quiet", "no"), later lines begin with the CPU, ID and probe columns again
 */
BEGIN { trace(1); setopt("quiet", "no"); }
BEGIN { trace(2); exit(0); }
