# The commit that is built, as a header that changes only when the commit does. Run at each build: a new commit changes no source.
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#pragma once\n#define DTRACE_COMMIT \"${commit}\"\n")
