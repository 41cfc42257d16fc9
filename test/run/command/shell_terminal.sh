#@ what:    --shell on a terminal supports completion, clauses of several lines, Ctrl-C, history and repeated runs
#@ needs:   tmux syscall host
#@ timeout: 60
export XDG_STATE_HOME=$TMP/state INPUTRC=/dev/null TERM=xterm
tm() { tmux -S "$TMP/tmux" -f /dev/null "$@"; }
trap 'tm kill-server 2>"$TMP/ended"' EXIT
begin() { tm new-session -d -x 100 -y 40 "$DTRACE -q --shell"; }
type() { tm send-keys -t 0 -l "$1"; }
keys() { tm send-keys -t 0 "$@"; }

# Function "seen COUNT REGEX": waits until at least COUNT lines of the terminal match REGEX.
seen()
{
    local i
    for ((i = 0; i < 2000; i++)); do
        if (($(tm capture-pane -p -t 0 | grep -c -- "$2") >= $1)); then
            echo "seen: $2"
            return
        fi
        sleep 0.05
    done
    echo "not seen $1 times: $2"
    tm capture-pane -p -t 0
    exit 1
}

begin
seen 1 '^dtrace>$'
type 'syscall::op'
keys Tab
seen 1 '^dtrace> syscall::open$'
type 'at2:en'
keys Tab
seen 1 '^dtrace> syscall::openat2:entry$'
type ', BEGIN {'
keys Enter
seen 1 '^      >$'
type '@runs[probename] = count(); printf("begun\n"); walltimest'
keys Tab
seen 1 'walltimestamp$'
keys C-c
seen 2 '^dtrace>'
type 'BEGIN {'
keys Enter
seen 2 '^      >'
type '@runs[probename] = count(); printf("begun\n"); }'
keys Enter
seen 3 '^dtrace>'
type 'run'
keys Enter
seen 1 '^begun$'
keys C-c
seen 1 '^  BEGIN  *1$'
seen 4 '^dtrace>'
keys Up
seen 2 '^dtrace> run$'
keys Up
seen 2 '^dtrace> BEGIN {$'
seen 1 '^@runs\[probename\] = count(); printf("begun\\n"); }$'
keys C-c
seen 5 '^dtrace>'
type 'run'
keys Enter
seen 2 '^begun$'
keys C-c
seen 1 '^  BEGIN  *2$'
seen 6 '^dtrace>'
keys C-d
while tm has-session 2>"$TMP/ended"; do sleep 0.05; done
stat -c 'the history is for its owner: %a' "$TMP/state/dtrace/history"
begin
seen 1 '^dtrace>$'
keys Up Up Up
seen 1 '^dtrace> BEGIN {$'
seen 1 '^@runs\[probename\] = count(); printf("begun\\n"); }$'
