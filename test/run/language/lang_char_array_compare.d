/*@
 * what:    a char array and a string compare by content
 */
BEGIN { printf("%d %d %d\n", curthread->comm == "dtrace", curthread->comm == "dtrac", "dtracf" > curthread->comm); exit(0); }
