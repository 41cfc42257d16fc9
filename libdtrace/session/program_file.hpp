// Functions for program files: they read the text, run the preprocessor (-C), provide the macro variables of the
// process that compiles, and read and write bundles.
//
// The size of a file is checked while it is read, because a file such as /dev/zero never ends.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "libdtrace/options/options.hpp"

namespace dt {

/// Reads a program of at most kLargestProgram bytes, without a leading byte order mark. Reading stops at a NUL byte,
/// which no program contains. The error is ENOEXEC if the file is not a D program, EFBIG if the file is too large, else
/// the error of the failed system call.
Result<std::string> read_program_file(const std::string& path);

constexpr std::size_t kLargestProgram = 64 << 20;

// Option -C: runs the system's C preprocessor on the text of a script.

/// Runs `options.cpppath` on a script's text. A first line that begins with "#!" is replaced by an empty one, so that
/// line numbers do not change. The error messages are those of the original library: "Preprocessor not found", "Failed
/// to exec preprocessor", "Preprocessor failed to process input program" and "Failed to fork preprocessor". Messages of
/// cpp itself go to standard error.
Result<std::string> preprocess(std::string text, const Options& options);

/// Returns the arguments of cpp, without its name and the input and output files.
std::vector<std::string> preprocessor_arguments(const Options& options);

// Macro variables with the ids of the process that compiles a program, such as $pid and $uid.

/// Returns the macro variables of this process; `target` is the value of $target.
inline Macros macros_of_process(pid_t target)
{
    Macros macros;
    macros.pid = getpid();
    macros.ppid = getppid();
    macros.pgid = getpgid(0);
    macros.sid = getsid(0);
    macros.uid = getuid();
    macros.euid = geteuid();
    macros.gid = getgid();
    macros.egid = getegid();
    macros.target = target;
    return macros;
}

// The contents of a bundle: a program's text as the user typed it, and its compiled forms for any number of kinds of
// machines (docs/decisions/62-bundles.md).
//
// The file is a sequence of parts: each part consists of a line of text that describes the part, and of bytes. So files
// made on several machines can be joined with cat(1).

struct Bundle {
    /// The program as given on the command line.
    struct Typed {
        std::vector<std::string> words; ///< options and arguments of the command line, including file names of scripts
        /// Name and text of each script among the words of the command line (`words`), in their order.
        std::vector<std::pair<std::string, std::string>> scripts;

        bool operator==(const Typed&) const = default;
    };
    /// A compiled form of the program.
    struct Variant {
        /// Facts about the machines on which this compiled form can run (session/compatibility_key.hpp).
        std::string facts;
        std::string packed; ///< bytes in the format of dcompiler/object/packed.hpp
    };
    Typed typed;
    std::vector<Variant> variants;
};

std::string bundle_bytes(const Bundle& bundle);

/// Parses a bundle, which may be encoded by base64(1). The caller prints the file's name before the error message.
Result<Bundle> read_bundle(std::string_view bytes);

} // namespace dt
