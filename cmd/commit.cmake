# Writes the built commit to a header. Runs at each build, because a new commit need not change a source file. Rewrites
# the header only if the commit has changed.
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#pragma once\n#define DTRACE_COMMIT \"${commit}\"\n")
