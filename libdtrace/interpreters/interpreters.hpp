// The user-space part of jstack() for programs that an interpreter runs: tells the walk in the kernel
// (bpf-runtime/stacks/interpreters.bpf.c) where the interpreters of processes keep their frames, and names frames.
//
// A file is examined once. A process is published whenever its mappings are read for unwind tables, because jstack()
// rewrites stacks that were walked by them. Names come from copies of code objects, which the walk makes in a map, so
// they do not need the process.
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
    /// `proc` is the mount point of proc(5); `untrusted` reads the files.
    Interpreters(std::string proc, std::shared_ptr<UntrustedFiles> untrusted)
        : proc_(std::move(proc)), untrusted_(std::move(untrusted))
    {
    }

    /// Descriptors, which must outlive this object; negative if there is none.
    struct Maps {
        int interpreters = -1, texts = -1, counts = -1;
    };
    /// Returns false if the loaded object has no jstack(); then all other functions do nothing.
    bool open(const Maps& maps);

    /// Publishes the interpreter of a process; `mapped` are its mappings, empty after its end.
    void update(int64_t pid, const std::vector<Mapping>& mapped);

    /// Returns the frame that a word of a stack stands for, or null if it stands for none. Valid until the next call.
    const InterpretedFrame* frame(uint64_t word);

    /// Returns a sentence for each reason why frames have no names, and for frames without room.
    std::vector<std::string> problems() const;

private:
    struct Build {
        const Runtime* runtime = nullptr;
        RuntimeBuild build;
        std::string path;
        bool is_complete = false; ///< false: a process has to be read first
        bool is_met = false;      ///< whether a stack had frames of this build that could not be named
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
    std::vector<Build> builds_;         ///< the number of a build, from 1 on, is the walk's `kind`
    std::map<File, std::size_t> files_; ///< number of the build; 0: the file has no interpreter
    std::unordered_map<uint64_t, InterpretedFrame> frames_;
};

} // namespace dt
