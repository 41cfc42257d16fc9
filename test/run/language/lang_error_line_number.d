/*@
 * what:    #line sets the file name and line number of an error
 * run:     -qs %file%
 * status:  1
 */
# 100 "other.d"
BEGIN { trace(nosuch); }
