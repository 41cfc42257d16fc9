// A child process of the service that compiles scripts and returns what the kernel must load.
//
// Compiling takes ten times the memory of its result: kernel types, symbols, syntax trees, code. Parts of it would
// fragment the service's memory at each reload. In a child all of it is freed, and a crash of the compiler affects only
// one script.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dcompiler/object/packed.hpp"
#include "libdtrace/sandbox/sandboxed_reader.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

namespace dt {
class Trace;
}

namespace dt::service {

struct ServiceContext; // defined in script_instance.hpp

/// Result of compiling a script.
struct Compiled {
    /// Packed and Refused: see `text`. NotHere: the service itself must compile the script.
    enum class What : uint8_t { Packed, Refused, NotHere } what = What::NotHere;
    std::string text; ///< Packed: the program (dcompiler/object/packed.hpp); Refused: the complete error
    std::vector<UntrustedFiles::UnreadableFile> unread;
};

class CompilerProcess {
public:
    /// Compiles a script. The child is a copy of the service at its first request, and later requests reuse its caches.
    /// Takes as long as compiling does, at most a minute.
    Compiled compile(const ServiceContext& context, const TypedProgram& typed);
    /// Ends the child, because nothing more will be compiled soon or its knowledge of the machine is outdated.
    void end() { process_.reset(); }

private:
    std::unique_ptr<SandboxedReader> process_;
};

/// Returns the error of a failed compilation. `added` is whether the text was accepted.
std::string error_of(Trace& trace, bool added, const Result<void>& compiled);

} // namespace dt::service
