#@ what:    -x drops prints a line where records are missing, for each bufpolicy and for speculations
# A record takes 8 bytes for a number, 24 for the text, and 8 for exit(), including the 4-byte id.
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
