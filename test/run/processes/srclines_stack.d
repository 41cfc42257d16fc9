/*@
 * what:    frames of a user stack have the lines of their source, and there is one for each function that was inlined
 * run:     -qs %file% -x srclines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { ustack(); }
