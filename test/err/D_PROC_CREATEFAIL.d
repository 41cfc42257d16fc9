/* @tag: D_PROC_CREATEFAIL
 * @says: failed to create probe pid4343:a.out:in_data:entry: it is not in a part of the file that is mapped as code
 * @line: 5
 * a function that is not in code */
pid$target:a.out:in_data:entry { }
