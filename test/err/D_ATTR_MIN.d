/* @tag: D_ATTR_MIN
 * @says: attributes for scalar curthread (Stable/Private/Common) are less than predefined minimum
 * @line: 6
 * attributes below the amin minimum */
#pragma D option amin=Stable/Stable/Common
dtrace:::BEGIN { trace(curthread); }
