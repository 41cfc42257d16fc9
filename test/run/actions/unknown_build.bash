# Sourced by tests of jstack() for interpreters whose build is not known.
# shellcheck shell=bash

# unknown_build LANGUAGE SYSTEM_CALL FILE NATIVE COMMAND: prints the marks in the stacks of SYSTEM_CALL, names that
# contain FILE, the source of the interpreted program (there must be none), whether the native function NATIVE has
# frames, and the reason for the marks.
unknown_build() {
    local language=$1 call=$2 file=$3 native=$4 command=$5
    $DTRACE -qn "syscall::$call:entry /pid == \$target/ { printf(\"stack\\n\"); jstack(); }" -c "$command" \
        >"$TMP/out" 2>"$TMP/messages"
    grep -o "^stack\|\[$language: .*\]" "$TMP/out"
    grep -o "$file" "$TMP/out"
    grep -q "$native" "$TMP/out" && echo native frames
    grep -o 'have no names: .*' "$TMP/messages"
}
