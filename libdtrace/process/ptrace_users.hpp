// Programs that want to be the tracer of processes themselves, which only one can be: debuggers, and programs that look
// for their own leaks at their end.
#pragma once

#include <string>

namespace dt {

/// Does the program in this file call ptrace(2), or was it built with a sanitizer that does?
bool may_use_ptrace(const std::string& path);

} // namespace dt
