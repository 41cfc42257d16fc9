/* @tag: D_UNKNOWN
 * anything without its own tag: unknown offsetof member, duplicate member/enumerator, unresolvable type in a cast or prototype, unimplemented action, internal limits */
BEGIN { trace(offsetof(struct task_struct, nope)); }
