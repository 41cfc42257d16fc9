// What the pid provider must know of a running process: its files and their functions. The live one reads /proc and ELF (libdtrace/),
// tests bring a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/result.hpp"
#include "probes/user_probe.hpp"

namespace dt::probes {

class ProcessView {
public:
    /// A file of which code is mapped into the process.
    struct Object {
        std::string path;           ///< as the process names it
        bool is_executable = false; ///< the program itself, which D calls a.out
        std::string file = {};      ///< as it is opened here
        uint64_t start = 0;         ///< of its lowest mapping: the address,
        uint64_t offset = 0;        ///< and what is there of the file
    };
    /// Where a function takes its arguments from.
    enum class Calls : uint8_t {
        C,        ///< the platform's registers, then the stack
        C32,      ///< the stack, words of 32 bits: a 32-bit program
        Go,       ///< the registers of Go (its ABIInternal)
        GoOnStack ///< the stack alone (its ABI0)
    };
    struct Function {
        std::string name;                  ///< as its author wrote it
        uint64_t size = 0;                 ///< bytes; 0: not told
        std::optional<uint64_t> place = 0; ///< offset of its first byte in the file; nothing: it is not in a part that is mapped as code
        bool is_indirect = false;          ///< it chooses, when the program starts, which other function serves by its name
        bool is_clone = false;             ///< the compiler split it from another, or made it for some callers
        Calls calls = Calls::C;
        bool moves_stack = false; ///< of a Go program, which may move the stack while it runs: no return address on it may be changed
    };

    virtual ~ProcessView() = default;

    virtual bool is_tracer(int64_t pid) = 0;
    /// The mapped files, the program itself first. Error: why the process cannot be looked at ("No such process").
    virtual Result<std::vector<Object>> objects(int64_t pid) = 0;
    /// The functions of an object of the process last asked for, whose name matches the glob, as the file or as its author has
    /// it, one an address; none when the file cannot be read. A name without globs may be an alias: the function has the name by which it is known.
    virtual std::vector<Function> functions(const Object& object, std::string_view pattern) = 0;
    /// Where the byte is in the object's file that is code at a link-time address; nothing: there is no code.
    virtual std::optional<uint64_t> place_of(const Object& object, uint64_t address) = 0;
    /// The probes that an object's file carries; addresses in their arguments are those of the process.
    virtual std::vector<UserProbe> user_probes(const Object& object) = 0;
    /// The processes of this session (-c, -p), or, with `everywhere`, all there are.
    virtual std::vector<int64_t> pids(bool everywhere) = 0;
    /// Bytes of a file, fewer where it ends.
    virtual std::vector<uint8_t> bytes(const std::string& file, uint64_t offset, std::size_t count) = 0;
};

/// Does a module component, which may be a glob, mean this file of a process? By "a.out" (the executable), path, last component, or that up to a
/// dot (libc for libc.so.6).
bool is_called(const std::string& path, bool is_executable, const std::string& module);

} // namespace dt::probes
