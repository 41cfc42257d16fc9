#@ what:    -x drops prints a line where records are missing, for each bufpolicy and for speculations
# A record of a number takes 8 bytes, one of the text 24 and one of exit() 8, each with its 4-byte id.
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
