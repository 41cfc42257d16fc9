/* @tag: D_PROC_CREATEFAIL
 * @says: failed to create probe pid4343:a.out:in_data:entry: it is not in a part of the file that is mapped as code
 * @line: 5
 * a probe on a function outside executable code is an error */
pid$target:a.out:in_data:entry { }
