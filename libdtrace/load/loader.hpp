// A compiled run in the kernel: maps made, programs accepted, nothing attached yet.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bpf-runtime/abi.h"
#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "base/result.hpp"
#include "libdtrace/elf/confined_reader.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/pins.hpp"
#include "libdtrace/load/shared_map.hpp"

struct bpf_object;

namespace dt {

struct Source;

class LoadedObject;
struct ToldObject; // load_beside.cpp

/// Where maps come from that are not made.
struct MapsThere {
    std::span<const LoadedObject* const> others; ///< loaded before: what the run shares is in their maps
    const Pins* taken_up = nullptr;       ///< all maps are those, and programs that have a link there are not loaded
    const LoadedObject* former = nullptr; ///< of the trace whose place this one takes: its DT_MAP_TURN
};

class LoadedObject {
public:
    /// Makes the maps and loads the programs, quietly; only after a refusal once more with a log, which becomes part of
    /// the error. `probes` names them in messages, `sources` are the program texts. With -x bpflog the log is taken in
    /// any case and put into `log`. The error's text is what follows "could not enable tracing: ". Its code is E2BIG
    /// where a program is too large for the verifier, and for nothing else.
    static Result<LoadedObject> load(const Object& compiled, const Options& options, ProbeSource& probes, uint32_t cpus,
                                     std::span<const Source* const> sources, std::string& log,
                                     const MapsThere& there = {});

    /// The same by a child of this process: what libbpf takes for it (loading reads the kernel's types) is never this
    /// one's. There is no object() then, and no final_code(). `waiting` is called once a second meanwhile.
    static Result<LoadedObject> load_beside(const Object& compiled, const Options& options, ProbeSource& probes,
                                            uint32_t cpus, std::span<const Source* const> sources, std::string& log,
                                            const MapsThere& there, const std::function<void()>& waiting);

    /// The object alone: nothing is in the kernel, and what would be shared with it is memory of this process.
    static Result<LoadedObject> without_kernel(const Object& compiled, uint32_t cpus);
    bool is_in_kernel() const { return is_in_kernel_; }

    LoadedObject(LoadedObject&&) noexcept;
    LoadedObject& operator=(LoadedObject&&) = delete;
    ~LoadedObject();

    /// For who stays long: gives up libbpf's structures. object() is null then; maps, descriptors and globals stay. An
    /// object that is not in the kernel stays as it is.
    void forget_object();

    const bpf_object* object() const { return object_; }
    const LoadedMaps& maps() const { return maps_; }
    /// Below 0: there is none of that name, or not in the kernel.
    int program_descriptor(const std::string& name) const;

    /// A program's instructions as the kernel was given them: functions appended, maps and data by their descriptors.
    /// Before forget_object().
    ObjectFunction final_code(const std::string& name) const;

    /// How many instructions the verifier followed, on all paths of it together.
    uint64_t verified(const std::string& name) const;

    /// The run's shared state, mapped: reads and writes are seen by the programs at once.
    volatile dt_state& state() const { return *static_cast<volatile dt_state*>(state_.memory()); }
    /// The count of a program's runs, mapped likewise; null when it has none.
    volatile dt_tick* tick(const ProgramPlan& plan) const;
    /// Of that memory.
    int state_descriptor() const { return state_.descriptor(); }
    /// The whole section that it begins: the globals are there too.
    std::span<uint8_t> state_memory() const { return {static_cast<uint8_t*>(state_.memory()), state_.size()}; }
    /// The bytes of each scalar global there, by its name in D.
    const std::map<std::string, std::span<uint8_t>>& globals() const { return globals_; }

private:
    explicit LoadedObject(bpf_object* object) : object_(object) {}
    struct Request; // load_beside.cpp
    static std::string load_for_parent(ReaderState&, std::string_view request);
    std::vector<int> tell(ToldObject& told) const;
    Result<void> take(ToldObject told, std::span<const int> descriptors);
    static void prepare_process(const Options& options);
    Result<void> know_parts();
    Result<void> map_parts();
    void forget_initial_values();

    bpf_object* object_ = nullptr;
    bool is_in_kernel_ = true;
    LoadedMaps maps_;
    std::map<std::string, int> programs_; ///< descriptors, its own
    SharedMap state_, ticks_;
    std::map<std::string, std::span<uint8_t>> globals_;
};

/// "prov:mod:func:name" for what one program serves; components in which its probes differ are "*".
std::string served_probes(const ProgramPlan& plan, ProbeSource& probes);

} // namespace dt
