// The interface between the walk of interpreters' frames, which all runtimes share, and one file for each runtime. A
// runtime recognises its interpreter in a file, describes where frames are, and decodes the captured bytes of a code
// object.
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

/// Facts about one file of an interpreter. All of them come from an untrusted file.
struct RuntimeBuild {
    /// Offsets and link-time addresses. `kind`, `flags` of the walk and `own` are filled in elsewhere.
    dt_interpreter layout{};
    std::array<uint64_t, 8> facts{}; ///< numbers that only the runtime's own functions use
    /// Link-time addresses of 8-byte numbers that the file does not have, but each process. 0: not needed. Empty if the
    /// file has everything.
    std::vector<uint64_t> numbers;
    /// Reason why frames cannot be found; empty if they can. `layout.loop` is then the only valid part of the layout.
    std::string problem;
};

/// Returns the number at an offset of captured bytes; 0 if it was not captured.
template <typename T> T load(std::span<const uint8_t> data, std::size_t at)
{
    T value{};
    if (at <= data.size() && sizeof value <= data.size() - at)
        std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

/// The function of a frame, as a programmer knows it.
struct RuntimeFrame {
    std::string function, file;
    uint32_t line = 0; ///< 0: the instruction belongs to no line, or the line is not known
};

struct Runtime {
    std::string_view name; ///< name of the runtime in messages
    /// Part of the names of files that may contain the interpreter. The main program of a process is always examined.
    std::string_view file;
    /// Returns nothing if the file does not contain this interpreter. Runs in a sandboxed reader.
    std::optional<RuntimeBuild> (*recognise)(RuntimeImage& image);
    /// Names a frame. `instruction` is the offset of its instruction in bytes, negative before the first one. `code` is
    /// a copy of the process's memory and may contain anything. Returns nothing if it is not a code object of this
    /// build.
    std::optional<RuntimeFrame> (*name_frame)(const RuntimeBuild& build, const dt_code& code, int32_t instruction);
    /// Completes a build that has `numbers`; `values` are their values in a process, which may be anything. Returns
    /// false if the process has not written them yet.
    bool (*complete)(RuntimeBuild& build, std::span<const uint64_t> values) = nullptr;
};

std::span<const Runtime> all_runtimes();

#define DT_RUNTIME(object) extern const Runtime object;
#include "libdtrace/interpreters/runtimes.def"
#undef DT_RUNTIME

} // namespace dt
