// A module on the running kernel: emitted, linked, loaded, run once with bpf(BPF_PROG_TEST_RUN), its data read back.
#pragma once

#include <bpf/libbpf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::test {

/// May this process load BPF programs here? Tests skip where it may not.
bool can_load();

/// IR for one raw tracepoint program named "prog", and conveniences for its data.
struct Sketch {
    ir::Module module;

    Sketch();
    ir::Function& program() { return module.functions[0]; }
    ir::Builder builder() { return ir::Builder(program()); }
    uint32_t add_map(std::string name, uint32_t type, uint32_t key, uint32_t value, uint32_t entries,
                     uint32_t flags = 0);
    uint32_t add_data(std::string name, std::string section, uint32_t size, std::vector<uint8_t> bytes = {});
    /// A subprogram with `params` number parameters; its index. References to functions become invalid.
    uint32_t add_function(std::string name, uint32_t params, std::vector<ir::Mem> mem = {},
                          std::vector<uint32_t> region = {});
};

class Loaded {
public:
    /// On failure error() holds the reason and the verifier's log.
    explicit Loaded(const ir::Module& module);

    bool ok() const { return error_.empty(); }
    const std::string& error() const { return error_; }
    /// Runs a program with the context words; its 32-bit return value, or nothing when the kernel refuses.
    std::optional<uint32_t> run(const std::vector<uint64_t>& context = {}, const char* program = "prog");
    /// 64-bit word at `offset` of a data section.
    uint64_t word(const char* section, uint32_t offset);
    int map_fd(const char* name);
    bpf_object* object() { return object_.get(); }

private:
    std::string error_;
    std::unique_ptr<bpf_object, decltype(&bpf_object__close)> object_;
};

} // namespace dt::test
