// Generates a BPF ELF object from IR, links it with bpf-runtime, and has the index of bpf-runtime's functions. Folder
// ebpf/ generates the instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/embedded.hpp"
#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/ir/ir.hpp"
#include "dcompiler/object/schema.hpp"

namespace dt {

/// Emits `module` as a relocatable BPF ELF object: program sections, .text, .maps, data sections, BTF, .BTF.ext
/// (function and line info with D lines), license. Calls to runtime functions are undefined symbols with BTF. The
/// object is complete if `runtime_calls(module)` is empty; otherwise link() it. `faults`, if given, receives every
/// instruction that reports a fault. Prototypes of runtime functions are copied from `runtime`, because the linker
/// compares them. For missing functions, parameters and result are 64-bit unsigned integers.
Result<std::vector<uint8_t>> emit_elf(const ir::Module& module, std::span<const RuntimeObject> runtime = {},
                                      std::vector<FaultPlace>* faults = nullptr);

/// Returns the names of the runtime functions that the module calls, each once.
std::vector<std::string> runtime_calls(const ir::Module& module);

/// Links the object with the runtime objects that define the object's undefined functions, and recursively the
/// undefined functions of those runtime objects. Uses libbpf's static linker on memfds.
Result<std::vector<uint8_t>> link(std::span<const uint8_t> object, const std::vector<std::string>& calls,
                                  std::span<const RuntimeObject> runtime);

} // namespace dt

// Index of the runtime objects. For each object it lists the functions that the object defines and needs, and its BTF.

struct btf;

namespace dt {

/// Global functions that an object file defines, and the undefined functions that it needs.
struct ObjectSymbols {
    std::vector<std::string> defined, undefined;
};
Result<ObjectSymbols> read_symbols(std::span<const uint8_t> elf);

/// Finds runtime functions by symbol. Objects are parsed on demand; the object with the function's name is tried first.
class RuntimeIndex {
public:
    explicit RuntimeIndex(std::span<const RuntimeObject> objects);
    ~RuntimeIndex();

    /// Returns the index of the object that defines `symbol`, or -1.
    int find(std::string_view symbol);
    const ObjectSymbols& symbols(std::size_t object);
    /// Returns the object's BTF, which the index owns, or null.
    const struct btf* btf(std::size_t object);

private:
    struct Entry;
    std::span<const RuntimeObject> objects_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

} // namespace dt
