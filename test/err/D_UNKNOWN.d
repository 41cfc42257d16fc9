/* @tag: D_UNKNOWN
 * @says: failed to determine offset of nope: Member name not found.
 * @line: 5
 * errors without their own tag, such as unknown offsetof members or internal limits, have this tag */
BEGIN { trace(offsetof(struct task_struct, nope)); }
