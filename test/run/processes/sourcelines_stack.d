/*@
 * what:    with -x sourcelines, user frames print with source line, and each inlined function has a frame
 * run:     -qs %file% -x sourcelines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { ustack(); }
