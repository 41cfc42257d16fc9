/*@
 * what:    setopt() of an unknown option, of an option fixed at startup, or with an invalid value prints an error with the reason
 */
BEGIN { setopt("nosuch"); setopt("bufsize", "4m"); setopt("quiet", "maybe"); exit(0); }
