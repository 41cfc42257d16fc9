/* @tag: D_UNKNOWN
 * @says: failed to determine offset of nope: Member name not found.
 * @line: 5
 * anything without its own tag: unknown offsetof member, duplicate member/enumerator, unresolvable type in a cast or prototype, unimplemented action, internal limits */
BEGIN { trace(offsetof(struct task_struct, nope)); }
