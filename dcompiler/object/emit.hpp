// From IR to a BPF ELF object (ebpf/ makes the instructions, elf.cpp the file) and its union with bpf-runtime.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/embedded.hpp"
#include "dcompiler/diagnostics.hpp"
#include "dcompiler/ir/ir.hpp"
#include "dcompiler/object/schema.hpp"

namespace dt {

/// Emits `module` as a relocatable BPF ELF object: program sections, .text, .maps, data sections, BTF, .BTF.ext (func
/// and line info that names D lines), license. Calls to runtime functions are undefined symbols with BTF. The object is
/// complete when `runtime_calls(module)` is empty; otherwise link() it. `faults`, when given, gets every place that
/// reports a fault. The linker compares prototypes: they are copied from `runtime` when the function is found there,
/// else parameters and result are taken to be 64-bit unsigned integers.
Result<std::vector<uint8_t>> emit_elf(const ir::Module& module, std::span<const RuntimeObject> runtime = {},
                                      std::vector<FaultPlace>* faults = nullptr);

/// Names of the runtime functions the module calls, each once.
std::vector<std::string> runtime_calls(const ir::Module& module);

/// Joins the object with the runtime objects that define what it calls (transitively), with libbpf's static linker over
/// memfds.
Result<std::vector<uint8_t>> link(std::span<const uint8_t> object, const std::vector<std::string>& calls,
                                  std::span<const RuntimeObject> runtime);

} // namespace dt
