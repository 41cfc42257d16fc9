// Generates a BPF ELF object from IR, and links it with bpf-runtime. Also has the index of bpf-runtime's functions.
// Folder ebpf/ generates the instructions.
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

/// Emits `module` as a relocatable BPF ELF object: sections of programs, .text, .maps, data sections, BTF, .BTF.ext
/// (function and line information with D lines), license. Calls of bpf-runtime functions are undefined symbols with
/// BTF. If `runtime_calls(module)` is not empty, the object must still be linked with link(). Every instruction that
/// reports a fault is added to `faults`, if given. The linker compares prototypes, so those of bpf-runtime functions
/// are copied from `runtime`; functions that it lacks get 64-bit unsigned parameters and result.
Result<std::vector<uint8_t>> emit_elf(const ir::Module& module, std::span<const RuntimeObject> runtime = {},
                                      std::vector<FaultPlace>* faults = nullptr);

/// Returns the names of the bpf-runtime functions that the module calls, each once.
std::vector<std::string> runtime_calls(const ir::Module& module);

/// Links the object with those objects of bpf-runtime that define its undefined functions, and recursively the
/// undefined functions of these. Uses libbpf's static linker on memory files (memfd).
Result<std::vector<uint8_t>> link(std::span<const uint8_t> object, const std::vector<std::string>& calls,
                                  std::span<const RuntimeObject> runtime);

} // namespace dt

// Index of the objects of bpf-runtime: the functions that each defines and needs, and its BTF.

struct btf;

namespace dt {

/// Global functions that an object file defines, and the undefined functions that it needs.
struct ObjectSymbols {
    std::vector<std::string> defined, undefined;
};
Result<ObjectSymbols> read_symbols(std::span<const uint8_t> elf);

/// Finds bpf-runtime functions by symbol. Parses an object only when necessary; tries the object with the function's
/// name first.
class RuntimeIndex {
public:
    explicit RuntimeIndex(std::span<const RuntimeObject> objects);
    ~RuntimeIndex();

    /// Returns the index of the bpf-runtime object that defines `symbol`, or -1.
    int find(std::string_view symbol);
    const ObjectSymbols& symbols(std::size_t object);
    /// Returns the BTF of an object, or null. The index owns it.
    const struct btf* btf(std::size_t object);

private:
    struct Entry;
    std::span<const RuntimeObject> objects_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

} // namespace dt
