// Detects programs that trace processes themselves: debuggers, and programs that check for leaks at exit. A process can
// have only one tracer.
#pragma once

#include <string>

namespace dt {

class ForeignFiles;

/// Returns whether the program calls ptrace(2) or was built with a sanitizer that does. Returns false if it cannot be
/// read.
bool may_use_ptrace(ForeignFiles& files, const std::string& path);

} // namespace dt
