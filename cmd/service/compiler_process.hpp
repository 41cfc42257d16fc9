// A child process of the service that compiles scripts and returns what the kernel must load.
//
// Compiling needs ten times the memory of its result: kernel types, symbols, syntax trees, code. If the service itself
// compiled, a part of that memory would stay allocated and fragment its heap at each reload. When a child process ends,
// all its memory is freed. Also, a crash of the compiler then affects only one script.
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

struct ServiceContext; // this type is defined in script_instance.hpp

/// Result of compiling a script.
struct Compiled {
    /// Packed and Refused: `text` has the result. NotHere: the service itself must compile the script.
    enum class What : uint8_t { Packed, Refused, NotHere } what = What::NotHere;
    /// Packed: the compiled program as bytes (dcompiler/object/packed.hpp); Refused: the error message
    std::string text;
    std::vector<UntrustedFiles::UnreadableFile> unread;
};

class CompilerProcess {
public:
    /// Compiles a script. The child is forked from the service at the first request; later requests use the same child
    /// and its caches. Blocks until the script is compiled, at most a minute.
    Compiled compile(const ServiceContext& context, const TypedProgram& typed);
    /// Ends the child. Call it when no further script will be compiled for some time, or when the child's knowledge of
    /// the machine is outdated.
    void end() { process_.reset(); }

private:
    std::unique_ptr<SandboxedReader> process_;
};

/// Returns the error message of a failed compilation. `added`: whether the trace accepted the script's text.
/// `compiled`: the result of the next step, generating code. Its message is used if the compiler reported no errors.
std::string error_of(Trace& trace, bool added, const Result<void>& compiled);

} // namespace dt::service
