// Encodes and decodes the probes of a traced program's file between a sandboxed reader and the tracer. Locations of
// arguments become parts of BPF programs. So the decoder accepts only Locations that a file can describe: registers,
// memory of the process and constants.
#include <algorithm>
#include <cerrno>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/usdt/file_probes.hpp"
#include "machine/machine.hpp"

namespace dt::usdt {
namespace {

using probes::UserProbe;
using probes::UserSite;

constexpr unsigned kDeepestTold = 2;
constexpr std::size_t kMostProbeBytes = 8 << 20; // limit of an answer; the JVM's probes have 100 KB
constexpr std::size_t kMostProbesTold = 1 << 16; // per file
constexpr std::size_t kMostSitesTold = 1 << 16;  // per probe
constexpr std::size_t kMostWordsTold = 64;       // arguments, their types and parts

void tell(PackedWriter& answer, const std::vector<std::string>& texts)
{
    answer.number(texts.size());
    for (const std::string& text : texts)
        answer.text(text);
}

void tell(PackedWriter& answer, const Location& where)
{
    answer.number(static_cast<uint64_t>(where.kind));
    for (const uint64_t value : {uint64_t{where.index}, static_cast<uint64_t>(where.offset), uint64_t{where.size},
                                 uint64_t{where.is_signed}, uint64_t{where.scale}, uint64_t{where.scaled}})
        answer.number(value);
    answer.number(where.of.size());
    for (const Location& part : where.of)
        tell(answer, part);
}

void tell(PackedWriter& answer, const UserProbe& probe)
{
    for (const std::string* const text : {&probe.provider, &probe.function, &probe.name, &probe.remark})
        answer.text(*text);
    answer.number(probe.sites.size());
    for (const UserSite& site : probe.sites) {
        answer.number(site.place);
        answer.number(site.counter);
        answer.number(site.arguments.size());
        for (const Location& argument : site.arguments)
            tell(answer, argument);
    }
    answer.array(std::span<const uint64_t>(probe.asking));
    tell(answer, probe.native);
    tell(answer, probe.translated);
    tell(answer, probe.refusals);
    answer.array(std::span<const uint8_t>(probe.mapping));
}

std::string text_told(PackedReader& answer)
{
    const std::string_view text = answer.text();
    return std::string(text.substr(0, text.find('\0')));
}

std::vector<std::string> texts_told(PackedReader& answer)
{
    std::vector<std::string> texts(answer.count(1, kMostWordsTold));
    for (std::string& text : texts)
        text = text_told(answer);
    return texts;
}

bool is_register(uint64_t index)
{
    return index < machine::native().saved.bytes / sizeof(uint64_t) || index == Location::kNoRegister;
}

bool is_size(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/// Decodes a location. Returns Zero if it is not one that a file can describe.
Location location_told(PackedReader& answer, unsigned depth)
{
    Location where;
    const uint64_t kind = answer.number(), index = answer.number();
    where.offset = static_cast<int64_t>(answer.number());
    const uint64_t size = answer.number();
    where.is_signed = answer.number() != 0;
    const uint64_t scale = answer.number(), scaled = answer.number();
    const std::size_t parts = answer.count(8, kMostWordsTold);
    bool is_known = true;
    for (std::size_t i = 0; i < parts && depth < kDeepestTold; ++i) {
        where.of.push_back(location_told(answer, depth + 1));
        is_known &= where.of.back().kind == Location::Kind::Register;
    }
    where.kind = static_cast<Location::Kind>(kind);
    switch (where.kind) {
    case Location::Kind::Register:
    case Location::Kind::Constant:
        is_known &= parts == 0;
        break;
    case Location::Kind::UserMemory:
        is_known &= parts == 0 || (parts == 1 && scale != 0);
        break;
    case Location::Kind::Shift:
        is_known &= parts == 1 && where.offset >= 0 && where.offset < 64;
        break;
    default:
        is_known = false;
    }
    if (!is_known || kind > UINT8_MAX || !is_register(index) || !is_size(size) || (scale != 0 && !is_size(scale)) ||
        (scale != 0 && (!is_register(scaled) || scaled == Location::kNoRegister)) ||
        (where.kind == Location::Kind::Register && index == Location::kNoRegister))
        return {};
    where.index = static_cast<uint32_t>(index);
    where.size = static_cast<uint8_t>(size);
    where.scale = static_cast<uint8_t>(scale);
    where.scaled = scale != 0 ? static_cast<uint32_t>(scaled) : 0;
    return where;
}

UserProbe probe_told(PackedReader& answer)
{
    UserProbe probe;
    for (std::string* const text : {&probe.provider, &probe.function, &probe.name, &probe.remark})
        *text = text_told(answer);
    probe.sites.resize(answer.count(3, kMostSitesTold));
    for (UserSite& site : probe.sites) {
        site.place = answer.number();
        site.counter = answer.number();
        for (std::size_t left = answer.count(8, kMostWordsTold); left > 0; --left)
            site.arguments.push_back(location_told(answer, 0));
    }
    probe.asking = answer.array<uint64_t>();
    probe.native = texts_told(answer);
    probe.translated = texts_told(answer);
    probe.refusals = texts_told(answer);
    probe.mapping = answer.array<uint8_t>();
    return probe;
}

/// Returns whether each translated argument has a native one.
bool is_whole(const UserProbe& probe)
{
    return std::all_of(probe.mapping.begin(), probe.mapping.end(),
                       [&](uint8_t from) { return from < probe.native.size(); });
}

} // namespace

std::string tell_file_probes(const FileProbes& found)
{
    PackedWriter answer;
    answer.array(std::span<const FileProbes::Segment>(found.segments));
    answer.text(found.problem);
    answer.number(found.probes.size());
    for (const UserProbe& probe : found.probes)
        tell(answer, probe);
    return answer.take();
}

std::optional<FileProbes> file_probes_told(std::string_view bytes)
{
    if (bytes.size() > kMostProbeBytes)
        return {};
    PackedReader answer(bytes);
    FileProbes found;
    found.segments = answer.array<FileProbes::Segment>();
    found.problem = text_told(answer);
    for (std::size_t left = answer.count(8, kMostProbesTold); left > 0 && answer.good(); --left) {
        found.probes.push_back(probe_told(answer));
        if (!is_whole(found.probes.back()))
            return {};
    }
    return !answer.good() ? std::nullopt : std::optional(std::move(found));
}

FileProbes read_file_probes(ForeignFiles& files, const std::string& path)
{
    if (files.by() == ReadBy::Tracer)
        return read_file_probes(path);
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return tell_file_probes(read_file_probes(std::string(file)));
    };
    const Result<std::string> answer = files.read(path, read, path);
    std::optional<FileProbes> found = answer ? file_probes_told(answer.value()) : std::nullopt;
    if (found)
        return std::move(*found);
    FileProbes none;
    if (answer || answer.error().code != ENOENT)
        none.problem = answer ? "its reader does not make sense" : answer.error().message;
    return none;
}

} // namespace dt::usdt
