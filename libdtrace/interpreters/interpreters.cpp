// Recognizes interpreters in mapped files, passes their memory layout to the BPF program that walks their frames, and
// names these frames.
#include "libdtrace/interpreters/interpreters.hpp"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/packed_bytes.hpp"
#include "base/proc_file.hpp"
#include "libdtrace/elf/identification.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxExamined = 16384, kMaxBuilds = 4096, kMaxFrames = 65536;

/// Runs in a sandboxed reader. Checks whether the file contains an interpreter. The answer consists of the runtime's
/// number (its index in all_runtimes() plus 1) and the data of its RuntimeBuild.
std::string examine_file(ReaderState&, std::string_view path)
{
    PackedWriter answer;
    RuntimeImage image{std::string(path)};
    const std::span<const Runtime> runtimes = all_runtimes();
    for (std::size_t i = 0; image.is_found() && i < runtimes.size(); ++i)
        if (const auto build = runtimes[i].recognise(image)) {
            answer.number(i + 1);
            answer.array(std::span<const dt_interpreter>(&build->layout, 1));
            answer.array(std::span<const uint64_t>(build->facts));
            answer.array(std::span<const uint64_t>(build->numbers));
            answer.text(build->problem);
            break;
        }
    return answer.take();
}

/// Returns the load bias of a mapping: addresses in the process minus link-time addresses. Returns nothing if the
/// mapping contains no code of the file.
std::optional<uint64_t> bias_of(const ElfIdentification& elf, const Mapping& mapping)
{
    for (const ElfIdentification::Segment& segment : elf.loaded)
        if (segment.is_code && segment.offset < mapping.offset + (mapping.end - mapping.start) &&
            mapping.offset < segment.offset + segment.size)
            return mapping.start - mapping.offset + segment.offset - segment.address;
    return {};
}

void add_bias(dt_interpreter& layout, uint64_t bias)
{
    if (!(layout.flags & (DT_BY_CONTEXT | DT_BY_CONTROL_FRAME)) || layout.context.pointer != DT_POINTER_NEAR_BASE)
        layout.head += bias;
    layout.code_type += bias;
    layout.context.main.start += bias;
    layout.context.main.end += bias;
    layout.control.names += layout.control.names != 0 ? bias : 0;
    layout.cache.heaps += bias;
    layout.cache.interpreter += bias;
    layout.cache.call_stub += layout.cache.call_stub != 0 ? bias : 0;
    for (dt_address_range& range : layout.loop)
        if (range.start < range.end) {
            range.start += bias;
            range.end += bias;
        }
}

/// Adds a copy of the interpreter's code range (`loop`), moved by `distance` bytes. V8 maps the code of its builtins a
/// second time, near compiled code.
void add_copy(dt_interpreter& layout, uint64_t distance)
{
    for (dt_address_range& range : layout.loop) {
        const dt_address_range copy{layout.loop[0].start + distance, layout.loop[0].end + distance};
        if (range.start == copy.start)
            return;
        if (range.start == range.end) {
            range = copy;
            return;
        }
    }
}

} // namespace

std::span<const Runtime> all_runtimes()
{
#define DT_RUNTIME(object) object,
    static const Runtime runtimes[] = {
#include "libdtrace/interpreters/runtimes.def"
    };
#undef DT_RUNTIME
    return runtimes;
}

bool Interpreters::open(const Maps& maps)
{
    if (maps.interpreters < 0 || maps.texts < 0 || maps.counts < 0 ||
        !texts_.open(maps.texts, DT_CODES * sizeof(dt_code)) ||
        !counts_.open(maps.counts, sizeof(dt_interpreter_counts)))
        return false;
    map_ = maps.interpreters;
    return true;
}

void Interpreters::update(int64_t pid, const std::vector<Mapping>& mapped)
{
    if (map_ < 0)
        return;
    const auto key = static_cast<uint32_t>(pid);
    dt_interpreter published{};
    std::string path;
    uint64_t first_bias = 0;
    for (const Mapping& mapping : mapped) {
        if (!mapping.is_code || !mapping.path.starts_with('/'))
            continue;
        if (published.flags & DT_BY_FRAME_POINTER && mapping.path == path)
            add_copy(published, bias_of_mapped(pid, mapping).value_or(first_bias) - first_bias);
        const std::size_t number =
            published.kind == 0 ? build_of(pid, mapping, &mapping == &mapped.front() || mapping.path == mapped[0].path)
                                : 0;
        if (number != 0) {
            const std::optional<uint64_t> bias = bias_of_mapped(pid, mapping);
            if (!bias || !complete(builds_[number - 1], pid, *bias))
                continue;
            first_bias = *bias;
            published = builds_[number - 1].build.layout;
            published.kind = static_cast<uint32_t>(number);
            add_bias(published, *bias);
            path = mapping.path;
        }
        if (published.kind != 0 && mapping.path == path)
            for (dt_address_range& range : published.own)
                if (range.start == range.end) {
                    range = {mapping.start, mapping.end};
                    break;
                }
    }
    if (published.kind != 0)
        bpf_map_update_elem(map_, &key, &published, BPF_ANY);
    else
        bpf_map_delete_elem(map_, &key);
}

std::optional<uint64_t> Interpreters::bias_of_mapped(int64_t pid, const Mapping& mapping) const
{
    for (const std::string& name : names_of_mapped(proc_, pid, mapping))
        if (const auto bias = bias_of(identify_elf(name), mapping))
            return bias;
    return {};
}

/// Returns the number of the build (its index in builds_ plus 1) in the mapped file, or 0 if the file contains no
/// interpreter.
std::size_t Interpreters::build_of(int64_t pid, const Mapping& mapping, bool is_program)
{
    const std::string_view base = mapping.base_name();
    const std::span<const Runtime> runtimes = all_runtimes();
    if (!is_program && std::none_of(runtimes.begin(), runtimes.end(), [&](const Runtime& each) {
            return base.find(each.file) != std::string_view::npos;
        }))
        return 0;
    for (const std::string& name : names_of_mapped(proc_, pid, mapping)) {
        const OpenFile file(name);
        const auto identity = file ? file.identity() : std::nullopt;
        if (!identity)
            continue;
        const File key{identity->device, identity->inode, identity->modified_ns, identity->size};
        if (const auto known = files_.find(key); known != files_.end())
            return known->second;
        if (files_.size() >= kMaxExamined)
            files_.clear();
        return files_[key] = examine(file, mapping);
    }
    return 0;
}

std::size_t Interpreters::examine(const OpenFile& file, const Mapping& mapping)
{
    const Result<std::string> answer = untrusted_->read(file.path(), examine_file, file.path());
    PackedReader reply(answer ? std::string_view(answer.value()) : std::string_view());
    const uint64_t runtime = reply.number();
    const std::vector<dt_interpreter> layout = reply.array<dt_interpreter>();
    const std::vector<uint64_t> facts = reply.array<uint64_t>();
    const std::vector<uint64_t> numbers = reply.array<uint64_t>();
    Build found;
    found.build.problem = reply.text();
    if (runtime == 0 || runtime > all_runtimes().size() || layout.size() != 1 ||
        facts.size() != found.build.facts.size() || builds_.size() >= kMaxBuilds)
        return 0;
    found.runtime = &all_runtimes()[runtime - 1];
    found.build.layout = layout.front();
    found.build.layout.flags |= found.build.problem.empty() ? 0 : DT_UNKNOWN_BUILD;
    found.build.numbers = numbers;
    found.is_complete = numbers.empty() || !found.build.problem.empty();
    std::copy(facts.begin(), facts.end(), found.build.facts.begin());
    found.path = mapping.path;
    builds_.push_back(std::move(found));
    return builds_.size();
}

/// Reads those numbers of a build from the process's memory that are not in the file. Returns false if the process has
/// not written them yet.
bool Interpreters::complete(Build& build, int64_t pid, uint64_t bias)
{
    if (build.is_complete)
        return true;
    std::vector<uint64_t> values(build.build.numbers.size());
    const int memory = ::open((process_folder(proc_, pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    for (std::size_t i = 0; memory >= 0 && i < values.size(); ++i)
        if (const uint64_t at = build.build.numbers[i];
            at != 0 && ::pread(memory, &values[i], sizeof values[i], static_cast<off_t>(at + bias)) != sizeof values[i])
            values[i] = 0;
    if (memory >= 0)
        ::close(memory);
    build.is_complete = memory >= 0 && build.runtime->complete && build.runtime->complete(build.build, values);
    build.build.layout.flags |= build.build.problem.empty() ? 0 : DT_UNKNOWN_BUILD;
    return build.is_complete;
}

const InterpretedFrame* Interpreters::frame(uint64_t word)
{
    if (map_ < 0 || word >> 56 != DT_INTERPRETER_TAG)
        return nullptr;
    if (frames_.size() >= kMaxFrames)
        frames_.clear();
    const auto known = frames_.find(word);
    return known != frames_.end() ? &known->second : &(frames_[word] = make_frame(word));
}

InterpretedFrame Interpreters::make_frame(uint64_t word)
{
    const auto position = static_cast<uint32_t>(word >> 32 & 0xffffff), low = static_cast<uint32_t>(word);
    if (position == 0 || position >= DT_CODES)
        return unnamed(low >> 8, low & 0xff);
    dt_code code;
    std::memcpy(&code, static_cast<const dt_code*>(texts_.memory()) + position, sizeof code);
    if (code.kind == 0 || code.kind > builds_.size())
        return unnamed(0, DT_UNNAMED_BUILD);
    const Build& build = builds_[code.kind - 1];
    const auto named = build.runtime->name_frame(build.build, code, static_cast<int32_t>(low));
    if (!named)
        return unnamed(code.kind, DT_UNNAMED_BUILD);
    InterpretedFrame frame{named->function + " (" + named->file, {named->function, named->file, named->line}};
    frame.text += named->line != 0 ? ":" + std::to_string(named->line) + ")" : ")";
    return frame;
}

InterpretedFrame Interpreters::unnamed(std::size_t kind, uint32_t reason)
{
    const char* const words = reason == DT_UNNAMED_UNREADABLE ? "memory not readable"
                              : reason == DT_UNNAMED_ROOM     ? "no room for names"
                              : reason == DT_UNNAMED_BEGINS   ? "a call begins"
                              : reason == DT_UNNAMED_THREAD   ? "unknown thread"
                              : reason == DT_UNNAMED_MOVED    ? "frames are in the heap"
                                                              : "unknown build";
    const bool is_known = kind != 0 && kind <= builds_.size();
    if (is_known && reason == DT_UNNAMED_BUILD)
        builds_[kind - 1].is_met = true;
    const std::string name = is_known ? std::string(builds_[kind - 1].runtime->name) : "interpreter";
    return {"[" + name + ": " + words + "]", {"[" + name + ": " + words + "]", {}, 0}};
}

std::vector<std::string> Interpreters::problems() const
{
    std::vector<std::string> problems;
    for (const Build& each : builds_)
        if (each.is_met)
            problems.push_back("frames of " + std::string(each.runtime->name) + " in " + each.path +
                               " have no names: " +
                               (each.build.problem.empty() ? "its memory does not have the layout of this version"
                                                           : each.build.problem));
    const uint64_t full = counts_.memory() ? static_cast<const dt_interpreter_counts*>(counts_.memory())->full : 0;
    if (full != 0)
        problems.push_back(std::to_string(full) + " frames of interpreted programs have no names: more than " +
                           std::to_string(DT_CODES - 1) + " different functions were in stacks");
    return problems;
}

} // namespace dt
