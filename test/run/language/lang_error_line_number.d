/*@
 * what:    a line such as # 100 "other.d" sets the file name and line number that error messages show
 * run:     -qs %file%
 * status:  1
 */
# 100 "other.d"
BEGIN { trace(nosuch); }
