/*@
 * what:    at a stable probe for the returns of several functions, stack() begins with the function that has returned
 * needs:   kprobe
 * expect:  regex
 * run:     -q -s %file% -c '%progs%/writes 1 10'
 */
fsinfo:::write /pid == $target/ { stack(1); exit(0); }
