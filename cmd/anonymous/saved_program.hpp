// The program saved by `dtrace -A`, the paths of anonymous tracing, and the protocol of the process that keeps the
// trace.
//
// The saved program consists of its command line and the texts of its scripts. It does not need the directory in which
// -A ran, nor the preprocessor. It is stored as a directory: `arguments` contains the words, each with a final NUL
// (like /proc/PID/cmdline), and 1.d, 2.d, … are the preprocessed scripts. A user who could write to this directory
// would get root's rights at the next boot. So only root may write there, and a program is not started if other users
// can write its files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cmd/common/arguments.hpp"

namespace dt::anonymous {

struct SavedProgram {
    std::vector<std::string> words;
    std::vector<std::string> scripts; ///< texts of the scripts, which are saved in files named 1.d, 2.d, …
};

/// Converts arguments to a saved program. `scripts` are the texts of the scripts among the programs, in order.
/// `directory` is where the program will be saved.
SavedProgram make_saved_program(const cmd::Arguments& arguments, std::vector<std::string> scripts,
                                const std::string& directory);

/// Saves a program. The previous program is replaced after all files of the new one are written. Errors name the file.
Result<void> save_program(const SavedProgram& program, const std::string& directory);
/// Returns the words of the saved command line. Fails with ENOENT if no program is saved.
Result<std::vector<std::string>> read_saved_words(const std::string& directory);
/// Removes the saved program. Returns false if there was none.
Result<bool> remove_saved_program(const std::string& directory);

/// Paths of anonymous tracing: the saved program and the keeper's socket.
struct AnonymousPaths {
    std::string program; ///< directory on the root file system with the saved program, so that it is available early
    std::string run;     ///< directory in memory for the keeper's socket; its contents are lost at shutdown
    /// Whether these are the system's paths, which the systemd unit uses. False if DTRACE_ANONYMOUS names another
    /// directory.
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
    /// Number of bytes that follow the header. In a frame of kind Status it is the exit status instead, and no bytes
    /// follow.
    uint32_t size = 0;
};

/// Connects to the keeper's socket. ENOENT and ECONNREFUSED mean that no keeper runs.
Result<int> connect_to_claim_server(const std::string& socket);

} // namespace dt::anonymous
