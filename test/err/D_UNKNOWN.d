/* @tag: D_UNKNOWN
 * @says: failed to determine offset of nope: Member name not found.
 * @line: 5
 * an error for which no other tag exists, such as an unknown member in offsetof(), has the tag D_UNKNOWN */
BEGIN { trace(offsetof(struct task_struct, nope)); }
