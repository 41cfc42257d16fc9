// Where anonymous tracing has its files: the program that is saved, and the socket of the tracer that has begun.
#pragma once

#include <string>

namespace dt::anonymous {

struct Places {
    std::string program;    ///< a directory, on the root file system: it is there before others are mounted
    std::string run;        ///< a directory, in memory: it is there from the first moment, and goes with the machine
    bool is_system = false; ///< the machine's own, which a unit starts

    std::string socket() const { return run + "/socket"; }
    std::string pid() const { return run + "/pid"; }
};

inline constexpr char kInitramfsTools[] = "/etc/initramfs-tools";
inline constexpr char kInitramfsHook[] = "/etc/initramfs-tools/hooks/dtrace";

/// Those of the machine, or below the directory that DTRACE_ANONYMOUS names.
Places places();

} // namespace dt::anonymous
