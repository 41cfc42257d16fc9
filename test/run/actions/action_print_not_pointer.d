/*@
 * what:    print() takes pointers only
 * status:  1
 */
BEGIN { print(3); }
