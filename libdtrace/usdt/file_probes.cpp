// Converts notes and DOF, the two descriptions of a file's probes, to one form. The second half of this file transfers
// the probes between a sandboxed reader and the tracer.
//
// Both descriptions contain link-time addresses, but a probe is attached at a file offset. In a position-independent
// program, the loader stores the addresses of functions in the DOF, and the file contains these addresses only in its
// dynamic relocations.
#include "libdtrace/usdt/file_probes.hpp"

#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/usdt/dof.hpp"
#include "machine/machine.hpp"

namespace dt::usdt {
namespace {

using probes::UserProbe;
using probes::UserSite;

constexpr char kNoteSection[] = ".note.stapsdt", kBaseSection[] = ".stapsdt.base";

struct Section {
    uint64_t address = 0;
    std::span<const uint8_t> bytes;
};

/// Reads an ELF file by link-time addresses.
class File {
public:
    explicit File(Elf* elf) : elf_(elf) { elf_getphdrnum(elf, &segments_); }

    std::optional<Section> section(std::string_view name) const
    {
        std::size_t names = 0;
        if (elf_getshdrstrndx(elf_, &names) != 0)
            return std::nullopt;
        for (Elf_Scn* each = nullptr; (each = elf_nextscn(elf_, each));) {
            GElf_Shdr header;
            const char* const text = gelf_getshdr(each, &header) ? elf_strptr(elf_, names, header.sh_name) : nullptr;
            if (!text || name != text)
                continue;
            // uses raw data, because libelf's other functions would convert the bytes of notes
            Elf_Data* const data = elf_rawdata(each, nullptr);
            const bool there = data && data->d_buf;
            return Section{header.sh_addr, there ? std::span(static_cast<const uint8_t*>(data->d_buf), data->d_size)
                                                 : std::span<const uint8_t>{}};
        }
        return std::nullopt;
    }

    /// Returns the file offset of the byte at a link-time address. Returns nothing if no segment with the flag `flag`
    /// (PF_X, PF_W) contains the address.
    std::optional<uint64_t> place(uint64_t address, uint32_t flag) const
    {
        for (std::size_t i = 0; i < segments_; ++i) {
            GElf_Phdr segment;
            if (gelf_getphdr(elf_, static_cast<int>(i), &segment) && segment.p_type == PT_LOAD &&
                (segment.p_flags & flag) && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
                return address - segment.p_vaddr + segment.p_offset;
        }
        return std::nullopt;
    }

    std::vector<FileProbes::Segment> loaded() const
    {
        std::vector<FileProbes::Segment> found;
        GElf_Phdr segment;
        for (std::size_t i = 0; i < segments_; ++i)
            if (gelf_getphdr(elf_, static_cast<int>(i), &segment) && segment.p_type == PT_LOAD)
                found.push_back({segment.p_offset, segment.p_filesz, segment.p_vaddr});
        return found;
    }

    Elf* elf() const { return elf_; }

private:
    Elf* elf_;
    std::size_t segments_ = 0;
};

/// The symbols of the file, read at the first query.
class FileSymbols {
public:
    explicit FileSymbols(const std::string& path) : path_(path) {}

    std::string function_at(uint64_t address)
    {
        const ElfSymbols::Symbol* const found = symbols().find(address);
        return found && found->is_function ? found->name : "";
    }

private:
    const ElfSymbols& symbols()
    {
        if (!symbols_)
            symbols_.emplace(path_);
        return *symbols_;
    }

    const std::string& path_;
    std::optional<ElfSymbols> symbols_;
};

class Gatherer {
public:
    Gatherer(const File& file, const std::string& path) : file_(file), symbols_(path), note_symbols_(path) {}

    FileProbes gather()
    {
        add_descriptions();
        add_notes();
        add_counters();
        if (!result_.probes.empty())
            result_.segments = file_.loaded();
        return std::move(result_);
    }

private:
    /// Changes bytes of the file, which begin at `address`, as the loader does by the file's relocations.
    void relocate(std::vector<uint8_t>& bytes, uint64_t address) const
    {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(file_.elf(), section));) {
            GElf_Shdr header;
            if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !(header.sh_flags & SHF_ALLOC))
                continue;
            Elf_Data* const entries = elf_getdata(section, nullptr);
            GElf_Rela entry;
            for (int i = 0; entries && gelf_getrela(entries, i, &entry); ++i)
                if (entry.r_offset >= address && bytes.size() >= sizeof(uint64_t) &&
                    entry.r_offset - address <= bytes.size() - sizeof(uint64_t))
                    if (const auto value = value_of(entry, header.sh_link))
                        std::memcpy(bytes.data() + (entry.r_offset - address), &*value, sizeof *value);
        }
    }

    std::optional<uint64_t> value_of(const GElf_Rela& entry, uint32_t symbols) const
    {
        if (GELF_R_TYPE(entry.r_info) == machine::native().relocations.relative)
            return static_cast<uint64_t>(entry.r_addend);
        Elf_Data* const data = elf_getdata(elf_getscn(file_.elf(), symbols), nullptr);
        GElf_Sym symbol;
        if (GELF_R_TYPE(entry.r_info) != machine::native().relocations.word || !data ||
            !gelf_getsym(data, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol))
            return std::nullopt;
        return symbol.st_value + static_cast<uint64_t>(entry.r_addend);
    }

    std::vector<uint64_t> places(const std::vector<uint64_t>& addresses) const
    {
        std::vector<uint64_t> found;
        for (const uint64_t address : addresses)
            if (const auto place = file_.place(address, PF_X))
                found.push_back(*place);
        return found;
    }

    /// Returns the locations of the arguments at a call that -G has replaced by a no-op. The no-op pushes no return
    /// address, so stack arguments begin at the stack pointer. At a replaced tail call, the return address of the
    /// calling function is still on the stack, before these arguments.
    std::vector<Location> call_arguments(std::size_t count, bool is_last) const
    {
        std::vector<Location> arguments;
        for (std::size_t i = 0; i < count && i < kMaxArguments; ++i)
            if (i < machine::native().calls.arguments.size()) {
                arguments.push_back({.kind = Location::Kind::Register, .index = machine::native().calls.arguments[i]});
            } else {
                const auto word = static_cast<int64_t>(i - machine::native().calls.arguments.size() +
                                                       (is_last ? machine::native().calls.first_stack_argument : 0));
                arguments.push_back({.kind = Location::Kind::UserMemory,
                                     .index = machine::native().saved.stack_pointer,
                                     .offset = word * 8});
            }
        return arguments;
    }

    /// Returns whether the replaced call was a tail call, which is the case if a return follows its no-op.
    bool is_last_deed(uint64_t place) const
    {
        constexpr char kReturn = '\xc3';
        std::size_t size = 0;
        const char* const bytes = elf_rawfile(file_.elf(), &size);
        return bytes && place + 1 < size && (bytes[place + 1] == kReturn || bytes[place] == kReturn);
    }

    void add_descriptions()
    {
        const auto section = file_.section(kDofSection);
        if (!section)
            return;
        std::vector<uint8_t> bytes(section->bytes.begin(), section->bytes.end());
        relocate(bytes, section->address);
        auto described = read_dof(bytes);
        if (!described) {
            result_.problem = described.error().message;
            return;
        }
        for (DofProbe& each : described.value()) {
            UserProbe& probe = probe_of(each.provider, each.function, each.probe);
            // Describes each function only once: two objects of a program may describe the same function, if -G created
            // both of them without being given the program's objects.
            for (const uint64_t place : places(each.sites))
                if (std::none_of(probe.sites.begin(), probe.sites.end(),
                                 [&](const UserSite& s) { return s.place == place; }))
                    probe.sites.push_back({place, 0, call_arguments(each.native.size(), is_last_deed(place))});
            for (const uint64_t place : places(each.is_enabled_sites))
                if (std::find(probe.is_enabled_sites.begin(), probe.is_enabled_sites.end(), place) ==
                    probe.is_enabled_sites.end())
                    probe.is_enabled_sites.push_back(place);
            probe.native = std::move(each.native);
            probe.translated = std::move(each.translated);
            probe.mapping = std::move(each.mapping);
        }
    }

    /// Adds the counters by which a program tests whether a probe is enabled. The kernel increments a probe's counter
    /// while the probe is attached. So the sites in the program that query whether such a probe is enabled need not be
    /// hooked.
    void add_counters()
    {
        const auto section = file_.section(kCounterNoteSection);
        if (!section)
            return;
        for (const CounterNote& note : read_counter_notes(section->bytes))
            if (const auto counter = file_.place(note.counter, PF_W))
                for (UserProbe& probe : result_.probes)
                    if (probe.provider == note.provider && probe.name == note.probe)
                        set_counter(probe, *counter);
        std::erase_if(result_.probes,
                      [](const UserProbe& probe) { return probe.sites.empty() && probe.is_enabled_sites.empty(); });
    }

    static void set_counter(UserProbe& probe, uint64_t counter)
    {
        probe.is_enabled_sites.clear();
        for (UserSite& site : probe.sites)
            site.counter = counter;
    }

    void add_notes()
    {
        const auto section = file_.section(kNoteSection);
        if (!section)
            return;
        const auto base = file_.section(kBaseSection);
        for (const Note& note : read_notes(section->bytes, base ? base->address : 0)) {
            const auto place = file_.place(note.site, PF_X);
            if (!place)
                continue;
            UserProbe& probe = probe_of(note.provider, symbols_.function_at(note.site), note.probe);
            if (!probe.translated.empty())
                // skips the note, because the DOF description of the probe, which also contains types for args[], takes
                // precedence
                continue;
            UserSite site{*place, note.semaphore != 0 ? file_.place(note.semaphore, PF_W).value_or(0) : 0, {}};
            probe.native.clear();
            for (NoteArgument& argument : read_operands(note.arguments))
                add_argument(probe, site, argument, note.site);
            probe.sites.push_back(std::move(site));
        }
    }

    void add_argument(UserProbe& probe, UserSite& site, NoteArgument& argument, uint64_t address)
    {
        const std::size_t number = site.arguments.size();
        if (!argument.symbol.empty()) {
            NoteSymbols::Found found = note_symbols_.find(argument.symbol, address);
            if (found.is_ambiguous) {
                probe.refusals.resize(std::max(probe.refusals.size(), number + 1));
                probe.refusals[number] = found.problem;
            }
            argument.unreadable = std::move(found.problem);
            argument.where.offset += static_cast<int64_t>(found.address);
        }
        if (!argument.unreadable.empty()) {
            const bool is_refused = number < probe.refusals.size() && !probe.refusals[number].empty();
            argument.where = {};
            probe.remark = "arg" + std::to_string(number) + (is_refused ? " cannot be read: " : " is read as 0: ") +
                           argument.unreadable;
        }
        probe.native.push_back(argument.type);
        site.arguments.push_back(argument.where);
    }

    UserProbe& probe_of(const std::string& provider, const std::string& function, const std::string& name)
    {
        const auto [known, is_new] =
            known_.try_emplace(provider + '\0' + function + '\0' + name, result_.probes.size());
        if (is_new) {
            UserProbe& made = result_.probes.emplace_back();
            made.provider = provider;
            made.function = function;
            made.name = name;
        }
        return result_.probes[known->second];
    }

    const File& file_;
    FileSymbols symbols_;
    NoteSymbols note_symbols_;
    FileProbes result_;
    std::map<std::string, std::size_t> known_;
};

} // namespace

uint64_t FileProbes::moved_by(uint64_t start, uint64_t offset) const
{
    // rounds down to a page, because a mapping begins at a page boundary even if the file's segment does not
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    for (const Segment& segment : segments)
        if (const uint64_t first = segment.offset / page * page;
            offset >= first && offset < segment.offset + segment.size)
            return start - (segment.address - segment.offset + offset);
    return 0;
}

FileProbes read_file_probes(const std::string& path)
{
    const ElfFile elf(path);
    GElf_Ehdr header;
    if (!elf.get() || !gelf_getehdr(elf.get(), &header) || header.e_machine != machine::native().elf)
        return {};
    const File file(elf.get());
    return Gatherer(file, path).gather();
}

// Transfers the probes of a traced program's file from a sandboxed reader to the tracer, by encoding and decoding them.
// Locations of arguments become parts of BPF programs. So the decoder accepts only Locations that a file can describe:
// registers, memory of the process and constants.

namespace {

constexpr unsigned kMaxSerializedDepth = 2;
// maximum size of an answer in bytes; the JVM's probes take 100 KB
constexpr std::size_t kMaxProbeBytes = 8 << 20;
constexpr std::size_t kMaxSerializedProbes = 1 << 16; // maximum number of probes per file
constexpr std::size_t kMaxSerializedSites = 1 << 16;  // maximum number of sites per probe
// Maximum length of each of three lists: arguments of a probe, types of these arguments, and parts of a location.
constexpr std::size_t kMaxSerializedWords = 64;

void serialize(PackedWriter& answer, const std::vector<std::string>& texts)
{
    answer.number(texts.size());
    for (const std::string& text : texts)
        answer.text(text);
}

void serialize(PackedWriter& answer, const Location& where)
{
    answer.number(static_cast<uint64_t>(where.kind));
    for (const uint64_t value : {uint64_t{where.index}, static_cast<uint64_t>(where.offset), uint64_t{where.size},
                                 uint64_t{where.is_signed}, uint64_t{where.scale}, uint64_t{where.scaled}})
        answer.number(value);
    answer.number(where.of.size());
    for (const Location& part : where.of)
        serialize(answer, part);
}

void serialize(PackedWriter& answer, const UserProbe& probe)
{
    for (const std::string* const text : {&probe.provider, &probe.function, &probe.name, &probe.remark})
        answer.text(*text);
    answer.number(probe.sites.size());
    for (const UserSite& site : probe.sites) {
        answer.number(site.place);
        answer.number(site.counter);
        answer.number(site.arguments.size());
        for (const Location& argument : site.arguments)
            serialize(answer, argument);
    }
    answer.array(std::span<const uint64_t>(probe.is_enabled_sites));
    serialize(answer, probe.native);
    serialize(answer, probe.translated);
    serialize(answer, probe.refusals);
    answer.array(std::span<const uint8_t>(probe.mapping));
}

std::string deserialize_text(PackedReader& answer)
{
    const std::string_view text = answer.text();
    return std::string(text.substr(0, text.find('\0')));
}

std::vector<std::string> deserialize_texts(PackedReader& answer)
{
    std::vector<std::string> texts(answer.count(1, kMaxSerializedWords));
    for (std::string& text : texts)
        text = deserialize_text(answer);
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

/// Decodes a location. If no file can describe the location, returns a location whose kind is Zero.
Location deserialize_location(PackedReader& answer, unsigned depth)
{
    Location where;
    const uint64_t kind = answer.number(), index = answer.number();
    where.offset = static_cast<int64_t>(answer.number());
    const uint64_t size = answer.number();
    where.is_signed = answer.number() != 0;
    const uint64_t scale = answer.number(), scaled = answer.number();
    const std::size_t parts = answer.count(8, kMaxSerializedWords);
    bool is_known = true;
    for (std::size_t i = 0; i < parts && depth < kMaxSerializedDepth; ++i) {
        where.of.push_back(deserialize_location(answer, depth + 1));
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
    case Location::Kind::ShiftRight:
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

UserProbe deserialize_probe(PackedReader& answer)
{
    UserProbe probe;
    for (std::string* const text : {&probe.provider, &probe.function, &probe.name, &probe.remark})
        *text = deserialize_text(answer);
    probe.sites.resize(answer.count(3, kMaxSerializedSites));
    for (UserSite& site : probe.sites) {
        site.place = answer.number();
        site.counter = answer.number();
        for (std::size_t left = answer.count(8, kMaxSerializedWords); left > 0; --left)
            site.arguments.push_back(deserialize_location(answer, 0));
    }
    probe.is_enabled_sites = answer.array<uint64_t>();
    probe.native = deserialize_texts(answer);
    probe.translated = deserialize_texts(answer);
    probe.refusals = deserialize_texts(answer);
    probe.mapping = answer.array<uint8_t>();
    return probe;
}

/// Returns whether every translated argument refers to an existing native argument.
bool is_whole(const UserProbe& probe)
{
    return std::all_of(probe.mapping.begin(), probe.mapping.end(),
                       [&](uint8_t from) { return from < probe.native.size(); });
}

} // namespace

std::string serialize_file_probes(const FileProbes& found)
{
    PackedWriter answer;
    answer.array(std::span<const FileProbes::Segment>(found.segments));
    answer.text(found.problem);
    answer.number(found.probes.size());
    for (const UserProbe& probe : found.probes)
        serialize(answer, probe);
    return answer.take();
}

std::optional<FileProbes> deserialize_file_probes(std::string_view bytes)
{
    if (bytes.size() > kMaxProbeBytes)
        return {};
    PackedReader answer(bytes);
    FileProbes found;
    found.segments = answer.array<FileProbes::Segment>();
    found.problem = deserialize_text(answer);
    for (std::size_t left = answer.count(8, kMaxSerializedProbes); left > 0 && answer.good(); --left) {
        found.probes.push_back(deserialize_probe(answer));
        if (!is_whole(found.probes.back()))
            return {};
    }
    return !answer.good() ? std::nullopt : std::optional(std::move(found));
}

FileProbes read_file_probes(UntrustedFiles& files, const std::string& path)
{
    if (files.by() == ReadBy::Tracer)
        return read_file_probes(path);
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return serialize_file_probes(read_file_probes(std::string(file)));
    };
    const Result<std::string> answer = files.read(path, read, path);
    std::optional<FileProbes> found = answer ? deserialize_file_probes(answer.value()) : std::nullopt;
    if (found)
        return std::move(*found);
    FileProbes none;
    if (answer || answer.error().code != ENOENT)
        none.problem = answer ? "the process that reads it returned damaged data" : answer.error().message;
    return none;
}

} // namespace dt::usdt
