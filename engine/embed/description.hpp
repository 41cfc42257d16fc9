// Reads the description inside a saved object (dcompiler/object/saved.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::embed {

/// Tells where a program expects a value that the engine must supply, such as a probe argument.
struct ArgumentSource {
    enum class In : uint8_t {
        Nothing,
        Constant,
        Context,   ///< the value is `offset` bytes from the start of the context
        Registers, ///< the value is `offset` bytes from the start of the task's saved user registers
        Memory,    ///< the value is `offset` bytes from the address that is stored at `base` in the context
        Cookie,
        Kernel, ///< the value is in kernel memory, and the engine cannot supply it
    } in = In::Nothing;
    int64_t offset = 0;
    uint32_t base = 0, size = 8;
};

struct Program {
    std::string function, kind;
    /// whether the attach plan has conditions or a start hook (a program that must run first), which the engine does
    /// not support
    bool conditional = false;
    ArgumentSource selector;
    std::vector<ArgumentSource> arguments;
};

struct Probe {
    uint32_t id = 0;
    std::string name;
    struct Use {
        uint32_t program = 0;
        uint64_t selector = 0;
    };
    std::vector<Use> programs; ///< programs that run when the probe fires
};

struct Datum {
    enum class Kind : uint8_t { Signed, Unsigned, Text, Name, Bytes } kind = Kind::Bytes;
    uint32_t offset = 0, size = 0;
};

struct Record {
    std::string action, format;
    bool has_format = false;
    int guard = -1;
    std::vector<Datum> data;
};

struct Statement {
    std::string description;
    int guards_at = -1;
    std::vector<Record> records;
};

struct Aggregation {
    std::string name, function, map, brief;
    uint32_t id = 0, words = 0, key_size = 0, offset = 0;
    bool shared = false;
    bool digested = false; ///< whether `map` stores digests (hashes) of keys; each value then begins with the full key
    std::vector<Datum> keys;
};

struct Variable {
    std::string name, section, map;
    uint64_t offset = 0, size = 0;
};

struct Description {
    std::vector<Program> programs;
    std::vector<Probe> probes; ///< probes; programs refer to a probe by its index in this vector
    std::vector<Statement> statements;
    std::vector<Aggregation> aggregations;
    std::vector<Variable> variables;
    std::vector<std::string> names;
    /// offsets of the members pid, tgid and comm of task_struct; absent if no program reads the member
    std::optional<uint32_t> task_pid, task_tgid, task_comm;

    const Variable* variable(std::string_view name) const;
    const Probe* probe(uint32_t id) const;
};

/// Returns the description in an object file. Fails if the file has no description, or one of a later version.
Result<Description> read_description(std::span<const uint8_t> elf);

} // namespace dt::embed
