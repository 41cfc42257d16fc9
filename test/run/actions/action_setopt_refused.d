/*@
 * what:    setopt() of what cannot be set: the error and its reason
 */
BEGIN { setopt("nosuch"); setopt("bufsize", "4m"); setopt("quiet", "maybe"); exit(0); }
