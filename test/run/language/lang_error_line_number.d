/*@
 * what:    #line names the file and line of an error
 * run:     -qs %file%
 * status:  1
 */
# 100 "other.d"
BEGIN { trace(nosuch); }
