// The user-space part of jstack() for interpreted programs; the BPF part is bpf-runtime/stacks/interpreters.bpf.c.
// Publishes to the BPF program where the interpreter of each process stores its frames, and names the frames.
//
// Each file is examined once. The layout for a process is published again whenever the process's mappings are read for
// unwind tables, because jstack() needs a stack that was unwound by these tables. Frames are named from copies of code
// objects, which the BPF program stores in a map. So the process may have ended.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/shared_memory.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/interpreters/runtime.hpp"
#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/symbols/symbols.hpp"

namespace dt {

class Interpreters {
public:
    /// `proc` is the mount point of proc(5). `untrusted` is the sandboxed reader that parses the files.
    Interpreters(std::string proc, std::shared_ptr<UntrustedFiles> untrusted)
        : proc_(std::move(proc)), untrusted_(std::move(untrusted))
    {
    }

    /// Descriptors of BPF maps, which must outlive this object; negative if the object has no such map.
    struct Maps {
        int interpreters = -1, texts = -1, counts = -1;
    };
    /// Opens the maps of the loaded object. Returns false if the object does not use jstack(); all other functions then
    /// do nothing.
    bool open(const Maps& maps);

    /// Publishes the interpreter of a process to the BPF program. `mapped` are the process's mappings; the list is
    /// empty when the process has ended.
    void update(int64_t pid, const std::vector<Mapping>& mapped);

    /// Returns the interpreter's frame that a word of a recorded stack encodes, or null if the word is an ordinary
    /// address. The result is valid until the next call.
    const InterpretedFrame* frame(uint64_t word);

    /// Returns one sentence for each reason why frames have no names, for example an unknown build or a full map.
    std::vector<std::string> problems() const;

private:
    struct Build {
        const Runtime* runtime = nullptr;
        RuntimeBuild build;
        std::string path;
        bool is_complete = false; ///< false if numbers must still be read from a process
        bool is_met = false;      ///< whether a recorded stack contains a frame of this build that could not be named
    };
    using File = std::tuple<dev_t, ino_t, int64_t, int64_t>;

    std::optional<uint64_t> bias_of_mapped(int64_t pid, const Mapping& mapping) const;
    std::size_t build_of(int64_t pid, const Mapping& mapping, bool is_program);
    std::size_t examine(const OpenFile& file, const Mapping& mapping);
    bool complete(Build& build, int64_t pid, uint64_t bias);
    InterpretedFrame make_frame(uint64_t word);
    InterpretedFrame unnamed(std::size_t kind, uint32_t reason);

    const std::string proc_;
    const std::shared_ptr<UntrustedFiles> untrusted_;
    int map_ = -1;
    SharedMemory texts_, counts_;
    /// all builds; dt_interpreter::kind contains a build's index in this list plus 1
    std::vector<Build> builds_;
    /// index of each file's build in builds_ plus 1; 0 if the file contains no interpreter
    std::map<File, std::size_t> files_;
    std::unordered_map<uint64_t, InterpretedFrame> frames_;
};

} // namespace dt
