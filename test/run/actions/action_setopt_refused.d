/*@
 * what:    setopt() of an unknown option, a fixed option or an invalid value reports an error with its reason
 */
BEGIN { setopt("nosuch"); setopt("bufsize", "4m"); setopt("quiet", "maybe"); exit(0); }
