/* @tag: D_ATTR_MIN
 * @says: attributes for scalar curthread (Stable/Private/Common) are less than predefined minimum
 * @line: 6
 * a name whose stability is below option amin is an error */
#pragma D option amin=Stable/Stable/Common
dtrace:::BEGIN { trace(curthread); }
