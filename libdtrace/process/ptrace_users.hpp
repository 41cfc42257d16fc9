// Programs that want to be the tracer of processes themselves, which only one can be: debuggers, and programs that look
// for their own leaks at their end.
#pragma once

#include <string>

namespace dt {

class ForeignFiles;

/// Does the program in this file call ptrace(2), or was it built with a sanitizer that does?
/// What cannot be read is taken for one that does not.
bool may_use_ptrace(ForeignFiles& files, const std::string& path);

} // namespace dt
