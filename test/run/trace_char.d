/*@
 * what:    a character constant is an int, a char traces as a number
 * run:     -s %file%
 */
BEGIN { trace('a'); trace((char)'a'); trace('ab'); exit(0); }
