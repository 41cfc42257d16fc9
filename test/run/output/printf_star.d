/*@
 * what:    * takes the width from an argument, a negative one adjusts left
 */
BEGIN { printf("[%*d][%*d][%*s]\n", 6, 42, -6, 42, 5, "ab"); exit(0); }
