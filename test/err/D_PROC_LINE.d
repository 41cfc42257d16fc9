/* @tag: D_PROC_LINE
 * @says: invalid source line 'server.c@main+:line': expected FILE@LINE:line, FILE@FUNCTION+LINE:line or FILE@FUNCTION+*:line
 * @line: 5
 * a source line probe without a line number is an error */
pid$target:a.out:server.c@main+:line { }
