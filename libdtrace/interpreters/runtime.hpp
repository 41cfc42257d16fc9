// The interface between the common code of this folder and the file of each interpreter (here called a runtime). A
// runtime recognizes its interpreter in a file, describes where the interpreter stores its frames, and decodes the
// captured bytes of code objects.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bpf-runtime/interpreter_abi.h"
#include "libdtrace/interpreters/runtime_image.hpp"

namespace dt {

/// Facts about a file that contains an interpreter. They all come from the file itself, which is untrusted.
struct RuntimeBuild {
    /// Offsets and link-time addresses for the BPF program. The runtime does not set the members `kind` and `own` and
    /// the flag DT_UNKNOWN_BUILD; class Interpreters does.
    dt_interpreter layout{};
    std::array<uint64_t, 8> facts{}; ///< numbers that only this interpreter's own functions use
    /// Link-time addresses of 8-byte numbers that are not in the file and must be read from a process; an address of 0
    /// is skipped. Empty if the file contains everything.
    std::vector<uint64_t> numbers;
    /// Reason why frames cannot be found; empty if they can. If there is a reason, only the member `loop` of the layout
    /// is valid.
    std::string problem;
};

/// Returns the number at an offset of captured bytes, or 0 if this part was not captured.
template <typename T> T load(std::span<const uint8_t> data, std::size_t at)
{
    T value{};
    if (at <= data.size() && sizeof value <= data.size() - at)
        std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

/// Names of the function, source file and line of a frame.
struct RuntimeFrame {
    std::string function, file;
    uint32_t line = 0; ///< 0 if the instruction has no line or the line is not known
};

struct Runtime {
    std::string_view name; ///< name of the interpreter in messages
    /// A library is examined only if its file name contains this text. The main program of a process is always
    /// examined.
    std::string_view file;
    /// Describes the interpreter in a file. Returns nothing if the file does not contain this interpreter. Runs in a
    /// sandboxed reader.
    std::optional<RuntimeBuild> (*recognise)(RuntimeImage& image);
    /// Names a frame. `instruction` is the current instruction's offset in bytes; negative if the function has not
    /// begun. `code` is a copy of the process's memory and may contain anything. Returns nothing if it is not a code
    /// object of this build.
    std::optional<RuntimeFrame> (*name_frame)(const RuntimeBuild& build, const dt_code& code, int32_t instruction);
    /// Completes the layout of a build with numbers from a process: `values` are the words at the addresses in
    /// RuntimeBuild::numbers, and may be anything. Returns false if the process has not written them yet.
    bool (*complete)(RuntimeBuild& build, std::span<const uint64_t> values) = nullptr;
};

std::span<const Runtime> all_runtimes();

#define DT_RUNTIME(object) extern const Runtime object;
#include "libdtrace/interpreters/runtimes.def"
#undef DT_RUNTIME

} // namespace dt
