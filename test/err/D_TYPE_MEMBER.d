/* @tag: D_TYPE_MEMBER
 * ./-> with a name that is not a member */
BEGIN { trace(curthread->no_such); }
