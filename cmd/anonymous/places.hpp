// Paths of anonymous tracing: the saved program and the keeper's socket.
#pragma once

#include <string>

namespace dt::anonymous {

struct Places {
    std::string program;    ///< directory of the saved program, on the root file system, so that it is available early
    std::string run;        ///< directory in memory, available from the start and lost at shutdown
    bool is_system = false; ///< false if DTRACE_ANONYMOUS names other paths; a unit starts only the system's own
                            ///< program

    std::string socket() const { return run + "/socket"; }
    std::string pid() const { return run + "/pid"; }
};

inline constexpr char kInitramfsTools[] = "/etc/initramfs-tools";
inline constexpr char kInitramfsHook[] = "/etc/initramfs-tools/hooks/dtrace";

/// Returns the system's paths, or those below the directory in DTRACE_ANONYMOUS.
Places places();

} // namespace dt::anonymous
