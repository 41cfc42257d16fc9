#@ what:    -x drops prints a lost interval for full fill buffers, oversized ring records and dropped speculative records
# With four bytes of an id a number counts as 8 bytes, the text as 24, exit() as 8.
four='BEGIN { trace(1); } BEGIN { trace("a longer text"); } BEGIN { trace(2); } BEGIN { exit(0); }'
shown() {
    echo "$1:"
    shift
    taskset -c 0 $DTRACE -x drops -x strsize=8 "$@" 2>/dev/null
    echo
}
shown fill -x bufpolicy=fill -b 16 -qn "$four"
shown 'fill and END' -x bufpolicy=fill -b 24 -qn "$four END { trace(9); }"
shown ring -x bufpolicy=ring -b 16 -qn "$four"
shown speculation -x specsize=24 -qn 'BEGIN { s = speculation(); } BEGIN { speculate(s); trace(1); } BEGIN { speculate(s); trace(2); }
    BEGIN { speculate(s); trace(3); } BEGIN { commit(s); } BEGIN { exit(0); }'
