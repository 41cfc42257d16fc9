/* @tag: D_ASRELO
 * @says: relocation remains against undefined symbol `nosuchsym
 * @line: 6
 * @options: -x knodefs
 * unresolved external symbol, allowed while compiling, still referenced at the end */
BEGIN { trace(`nosuchsym); }
