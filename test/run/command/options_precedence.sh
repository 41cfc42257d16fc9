#@ what:    setopt() overrides a pragma, which overrides the command line, DTRACE_OPT_ and the default; an invalid DTRACE_OPT_ value is an error
#@ needs:   host
indent() # ARGUMENTS…: prints the indentation of a stack frame
{
    $DTRACE -q "$@" -n 'BEGIN { stack(1); exit(0); }' | grep . | head -n 1 | awk '{ match($0, /^ */); print RLENGTH }'
}
indent
DTRACE_OPT_STACKINDENT=3 indent
DTRACE_OPT_STACKINDENT=many indent 2>&1
DTRACE_OPT_STACKINDENT=3 indent -x stackindent=5
DTRACE_OPT_STACKINDENT=3 indent -x stackindent=5 -x stackindent=6
DTRACE_OPT_STACKINDENT=3 indent -x stackindent=5 -n '#pragma D option stackindent=7
BEGIN { }'
DTRACE_OPT_STACKINDENT=3 indent -x stackindent=5 -n '#pragma D option stackindent=7
BEGIN { setopt("stackindent", "9"); }'
