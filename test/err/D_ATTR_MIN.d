/* @tag: D_ATTR_MIN
 * attributes below the amin minimum */
#pragma D option amin=Stable/Stable/Common
dtrace:::BEGIN { trace(curthread); }
