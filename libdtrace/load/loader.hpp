// A compiled program that is loaded into the kernel: its maps exist and its BPF programs are verified, but nothing is
// attached.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/pins.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/sandbox/sandboxed_reader.hpp"

struct bpf_object;

namespace dt {

struct Source;

class LoadedObject;
struct ChildResult; // forward declaration; loader.cpp defines the class

/// The existing maps that a new object uses instead of creating its own.
struct ExistingMaps {
    /// Objects of the same run that were loaded earlier; the new object shares their maps.
    std::span<const LoadedObject* const> others;
    const Pins* adopted = nullptr; ///< the pinned maps to use, or null; programs that have a pinned link are not loaded
    /// Object of the trace that this trace replaces; both traces share its map DT_MAP_ACTIVE_EPOCH.
    const LoadedObject* former = nullptr;
};

class LoadedObject {
public:
    /// Creates the maps and loads the programs. If the kernel refuses a program, loads again with a verifier log, which
    /// becomes part of the error message. `probes` provides names for messages, `sources` are the source texts of the D
    /// program. With -x bpflog, `log` always receives the log. The error text completes the message "could not enable
    /// tracing: …". The error's code is E2BIG only if a program is too large for the verifier.
    static Result<LoadedObject> load(const Object& compiled, const Options& options, ProbeSource& probes, uint32_t cpus,
                                     std::span<const Source* const> sources, std::string& log,
                                     const ExistingMaps& there = {});

    /// Like load(), but in a child process, so that this process never allocates the memory that libbpf needs, for
    /// example for the kernel's types. object() and final_code() are then not available. Calls `waiting` once per
    /// second until the child has finished.
    static Result<LoadedObject> load_in_child(const Object& compiled, const Options& options, ProbeSource& probes,
                                              uint32_t cpus, std::span<const Source* const> sources, std::string& log,
                                              const ExistingMaps& there, const std::function<void()>& waiting);

    /// Opens the object without loading it into the kernel; shared sections are then in memory files of this process.
    static Result<LoadedObject> without_kernel(const Object& compiled, uint32_t cpus);
    bool is_in_kernel() const { return is_in_kernel_; }

    LoadedObject(LoadedObject&&) noexcept;
    LoadedObject& operator=(LoadedObject&&) = delete;
    ~LoadedObject();

    /// Frees libbpf's structures, to save memory in long-running processes. Afterwards object() returns null, but maps,
    /// descriptors and globals are still valid. Has no effect on an object that is not in the kernel.
    void forget_object();

    const bpf_object* object() const { return object_; }
    const LoadedMaps& maps() const { return maps_; }
    /// Returns the program's descriptor, or a negative value if the program does not exist or is not in the kernel.
    int program_descriptor(const std::string& name) const;

    /// Returns a program's instructions as passed to the kernel: called functions are appended, and references to maps
    /// and data are replaced by descriptors. Must be called before forget_object().
    ObjectFunction final_code(const std::string& name) const;

    /// Returns how many instructions the verifier processed for the program, over all paths.
    uint64_t verified(const std::string& name) const;

    /// Returns the state that this run shares with its BPF programs, in mapped memory. Programs see writes immediately.
    volatile dt_state& state() const { return *static_cast<volatile dt_state*>(state_.memory()); }
    /// Returns the mapped counter of a program's runs, or null if the program has no counter.
    volatile dt_tick* tick(const ProgramPlan& plan) const;
    /// Returns the descriptor of the map, or of the memory file, that contains the shared state.
    int state_descriptor() const { return state_.descriptor(); }
    /// Returns the whole data section that begins with the shared state. The section also contains the global
    /// variables.
    std::span<uint8_t> state_memory() const { return {static_cast<uint8_t*>(state_.memory()), state_.size()}; }
    /// Returns the bytes of each scalar global variable in state_memory(), by its name in D.
    const std::map<std::string, std::span<uint8_t>>& globals() const { return globals_; }

private:
    explicit LoadedObject(bpf_object* object) : object_(object) {}
    struct Request; // forward declaration; loader.cpp defines the class
    static std::string load_for_parent(ReaderState&, std::string_view request);
    std::vector<int> export_to(ChildResult& result) const;
    Result<void> take(ChildResult result, std::span<const int> descriptors);
    static void prepare_process(const Options& options);
    Result<void> know_parts();
    Result<void> map_parts();
    void forget_initial_values();

    bpf_object* object_ = nullptr;
    bool is_in_kernel_ = true;
    LoadedMaps maps_;
    std::map<std::string, int> programs_; ///< descriptors of the programs, which this object owns, by program name
    SharedMap state_, ticks_;
    std::map<std::string, std::span<uint8_t>> globals_;
};

/// Returns the probes that a program serves as "prov:mod:func:name"; components that differ between probes are "*".
std::string served_probes(const ProgramPlan& plan, ProbeSource& probes);

} // namespace dt
