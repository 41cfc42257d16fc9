/* @tag: D_ASRELO
 * @says: relocation remains against undefined symbol `nosuchsym
 * @line: 6
 * @options: -x knodefs
 * an external symbol that is still unresolved after compiling is an error */
BEGIN { trace(`nosuchsym); }
