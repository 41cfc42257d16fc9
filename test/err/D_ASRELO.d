/* @tag: D_ASRELO
 * @options: -x knodefs
 * unresolved external symbol, allowed while compiling, still referenced at the end */
BEGIN { trace(`nosuchsym); }
