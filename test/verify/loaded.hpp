// Runs intermediate code on the running kernel: emits BPF code, links and loads it, runs it once with
// bpf(BPF_PROG_TEST_RUN), and reads its data.
#pragma once

#include <bpf/libbpf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::test {

/// Returns whether this process may load BPF programs here. Tests are skipped if not.
bool can_load();

/// Intermediate code of one raw tracepoint program named "prog", with functions that help to add its data.
struct Sketch {
    ir::Module module;

    Sketch();
    ir::Function& program() { return module.functions[0]; }
    ir::Builder builder() { return ir::Builder(program()); }
    uint32_t add_map(std::string name, uint32_t type, uint32_t key, uint32_t value, uint32_t entries,
                     uint32_t flags = 0);
    uint32_t add_data(std::string name, std::string section, uint32_t size, std::vector<uint8_t> bytes = {});
    /// Adds a subprogram with `params` numeric parameters and returns its index. Invalidates references to functions.
    uint32_t add_function(std::string name, uint32_t params, std::vector<ir::Mem> mem = {},
                          std::vector<uint32_t> region = {});
};

class Loaded {
public:
    /// Loads the module. On failure error() returns the reason and the verifier's log.
    explicit Loaded(const ir::Module& module);

    bool ok() const { return error_.empty(); }
    const std::string& error() const { return error_; }
    /// Runs a program with these words as context. Returns its 32-bit result, or nothing if the kernel refuses to run
    /// it.
    std::optional<uint32_t> run(const std::vector<uint64_t>& context = {}, const char* program = "prog");
    /// Returns the 64-bit word at `offset` of a data section.
    uint64_t word(const char* section, uint32_t offset);
    int map_fd(const char* name);
    bpf_object* object() { return object_.get(); }

private:
    std::string error_;
    std::unique_ptr<bpf_object, decltype(&bpf_object__close)> object_;
};

} // namespace dt::test
