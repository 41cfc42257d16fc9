// The program saved by `dtrace -A`, the paths of anonymous tracing, and the protocol of the process that keeps the
// trace.
//
// The saved program consists of its command line and the texts of its scripts. It needs neither the directory in which
// -A ran nor the preprocessor.
// It is stored as a directory. The file `arguments` contains the words of the command line, each with a final NUL (like
// /proc/PID/cmdline); 1.d, 2.d, … are the preprocessed scripts.
// A user who could write to this directory would get root's rights at the next boot. So only root may write there, and
// a program is not started if other users can write its files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cmd/common/arguments.hpp"

namespace dt::anonymous {

struct SavedProgram {
    std::vector<std::string> words;
    /// texts of the scripts; for the script number N, `words` contains the file name N.d
    std::vector<std::string> scripts;
};

/// Converts a command line to a saved program. `scripts` are the texts of its scripts, in order; `directory` is the
/// directory in which the program will be saved.
SavedProgram make_saved_program(const cmd::Arguments& arguments, std::vector<std::string> scripts,
                                const std::string& directory);

/// Saves a program. Writes all its files before it replaces the previously saved program. An error message names the
/// file.
Result<void> save_program(const SavedProgram& program, const std::string& directory);
/// Returns the words of the saved command line. Fails with ENOENT if no program is saved.
Result<std::vector<std::string>> read_saved_words(const std::string& directory);
/// Removes the saved program. Returns false if there was none.
Result<bool> remove_saved_program(const std::string& directory);

/// Paths of anonymous tracing: the saved program and the keeper's socket.
struct AnonymousPaths {
    /// directory of the saved program; it is on the root file system, so that it is available early in the boot
    std::string program;
    std::string run; ///< directory in memory for the keeper's socket; its contents are lost at shutdown
    /// Whether these are the system's own paths, the only ones that the systemd unit uses. False if the environment
    /// variable DTRACE_ANONYMOUS is set.
    bool is_system = false;

    std::string socket() const { return run + "/socket"; }
    std::string pid() const { return run + "/pid"; }
};

inline constexpr char kInitramfsTools[] = "/etc/initramfs-tools";
inline constexpr char kInitramfsHook[] = "/etc/initramfs-tools/hooks/dtrace";

/// Returns the system's paths, or paths below the directory in the environment variable DTRACE_ANONYMOUS.
AnonymousPaths anonymous_paths();

// Protocol between the keeper of an anonymous trace and its clients. A client sends single bytes; the keeper sends
// frames of a header and data.

enum class ClaimRequest : char {
    Claim = 'c',   ///< request: send the stored output and all further output
    End = 'e',     ///< request that follows Claim: end the trace and send its final output
    NewRoot = 'r', ///< request: the root file system is mounted, so the tracer must leave the initramfs
};

enum class FrameKind : uint32_t { Output = 1, Messages = 2, Status = 3 };

struct FrameHeader {
    FrameKind kind = FrameKind::Output;
    /// Number of data bytes after the header. In a frame of kind Status, this member is the exit status, and no bytes
    /// follow.
    uint32_t size = 0;
};

/// Connects to the keeper's socket. ENOENT and ECONNREFUSED mean that no keeper runs.
Result<int> connect_to_claim_server(const std::string& socket);

} // namespace dt::anonymous
