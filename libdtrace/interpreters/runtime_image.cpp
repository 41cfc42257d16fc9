#include "libdtrace/interpreters/runtime_image.hpp"

#include <algorithm>
#include <cstring>

#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxSymbols = 200'000;
constexpr uint64_t kMaxCode = 4 << 20;
// Minimum number of jumps from a function to its second part. Fewer jumps are probably tail calls of another function.
constexpr std::size_t kFewestJumps = 4;

} // namespace

bool RuntimeImage::is_found() const
{
    GElf_Ehdr header;
    return file_.get() && gelf_getehdr(file_.get(), &header) && header.e_ident[EI_CLASS] == ELFCLASS64;
}

void RuntimeImage::read_symbols()
{
    if (!has_symbols_ && file_.get())
        for_each_symbol(file_.get(), [this](const GElf_Sym& symbol, std::string_view text) {
            const std::string_view known = without_version(text);
            if (symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && symbols_.size() < kMaxSymbols)
                symbols_.try_emplace(std::string(known), Symbol{symbol.st_value, symbol.st_size});
        });
    has_symbols_ = true;
}

std::optional<RuntimeImage::Symbol> RuntimeImage::symbol(std::string_view name)
{
    read_symbols();
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? std::optional<Symbol>() : found->second;
}

std::optional<RuntimeImage::Symbol> RuntimeImage::symbol_starting(std::string_view prefix)
{
    read_symbols();
    const auto found = symbols_.lower_bound(prefix);
    return found == symbols_.end() || !found->first.starts_with(prefix) ? std::optional<Symbol>() : found->second;
}

std::span<const uint8_t> RuntimeImage::bytes(uint64_t address, uint64_t size)
{
    std::size_t count = 0, length = 0;
    const char* const raw = file_.get() ? elf_rawfile(file_.get(), &length) : nullptr;
    if (!raw || elf_getphdrnum(file_.get(), &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (!gelf_getphdr(file_.get(), static_cast<int>(i), &segment) || segment.p_type != PT_LOAD)
            continue;
        const uint64_t into = address - segment.p_vaddr;
        if (address < segment.p_vaddr || into > segment.p_filesz || size > segment.p_filesz - into ||
            segment.p_offset > length || into + size > length - segment.p_offset)
            continue;
        return {reinterpret_cast<const uint8_t*>(raw) + segment.p_offset + into, size};
    }
    return {};
}

std::optional<uint64_t> RuntimeImage::number(uint64_t address)
{
    const std::span<const uint8_t> found = bytes(address, sizeof(uint64_t));
    uint64_t value = 0;
    if (found.empty())
        return {};
    std::memcpy(&value, found.data(), sizeof value);
    return value;
}

std::optional<uint64_t> RuntimeImage::pointer(uint64_t address)
{
    if (!pointers_) {
        pointers_.emplace();
        for (const Elf64_Rela& each : relocations(machine::native().relocations.relative))
            pointers_->emplace(each.r_offset, static_cast<uint64_t>(each.r_addend));
    }
    const auto found = pointers_->find(address);
    return found != pointers_->end() ? found->second : number(address);
}

std::string RuntimeImage::text(uint64_t address)
{
    constexpr uint64_t kMaxText = 128;
    std::span<const uint8_t> data = bytes(address, kMaxText + 1);
    // fewer than kMaxText bytes may remain in the segment
    for (uint64_t size = kMaxText; data.empty() && size != 0; --size)
        data = bytes(address, size);
    const auto end = std::find(data.begin(), data.end(), 0);
    return end == data.end() ? std::string() : std::string(data.begin(), end);
}

std::string RuntimeImage::text_with(std::string_view prefix)
{
    constexpr std::size_t kMaxText = 64;
    std::size_t count = 0;
    if (!file_.get() || elf_getphdrnum(file_.get(), &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (!gelf_getphdr(file_.get(), static_cast<int>(i), &segment) || segment.p_type != PT_LOAD)
            continue;
        const std::span<const uint8_t> data = bytes(segment.p_vaddr, segment.p_filesz);
        const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
        if (const std::size_t at = text.find(prefix); at != std::string_view::npos) {
            const std::string_view found = text.substr(at + prefix.size(), kMaxText);
            return std::string(found.substr(0, found.find('\0')));
        }
    }
    return {};
}

std::optional<GElf_Phdr> RuntimeImage::segment(uint32_t type)
{
    std::size_t count = 0;
    if (!file_.get() || elf_getphdrnum(file_.get(), &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(file_.get(), static_cast<int>(i), &header) && header.p_type == type)
            return header;
    }
    return {};
}

/// Returns the offset of a thread-local variable in the TLS segment of the file, or nothing if there is no such
/// variable.
std::optional<uint64_t> RuntimeImage::thread_local_offset(std::string_view name)
{
    std::optional<uint64_t> offset;
    if (file_.get())
        for_each_symbol(file_.get(), [&](const GElf_Sym& symbol, std::string_view text) {
            if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF &&
                without_version(text) == name)
                offset = symbol.st_value;
        });
    return offset;
}

bool RuntimeImage::has_thread_local(std::string_view name)
{
    return thread_local_offset(name).has_value();
}

std::optional<uint64_t> RuntimeImage::thread_local_distance(std::string_view name)
{
    // bytes between thread pointer and variables, on machines whose variables are above the thread pointer
    constexpr uint64_t kBeforeVariables = 16;
    const auto variables = segment(PT_TLS);
    const auto offset = thread_local_offset(name);
    if (!variables || !offset || !segment(PT_INTERP) || variables->p_align == 0)
        return {};
    const uint64_t align = variables->p_align;
    const auto rounded = [align](uint64_t size) { return (size + align - 1) / align * align; };
    return *offset +
           (machine::native().thread_locals.is_below ? 0 - rounded(variables->p_memsz) : rounded(kBeforeVariables));
}

/// Returns the relocations of a type in .rela.dyn. Relocations of calls, in .rela.plt, are not included.
std::vector<Elf64_Rela> RuntimeImage::relocations(uint32_t type)
{
    std::vector<Elf64_Rela> found;
    const auto section = file_.get() && type != 0 ? find_section(file_.get(), ".rela.dyn") : std::nullopt;
    const auto data = section ? bytes(section->sh_addr, section->sh_size) : std::span<const uint8_t>();
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= data.size(); at += sizeof(Elf64_Rela)) {
        Elf64_Rela relocation;
        std::memcpy(&relocation, data.data() + at, sizeof relocation);
        if (ELF64_R_TYPE(relocation.r_info) == type)
            found.push_back(relocation);
    }
    return found;
}

std::optional<uint64_t> RuntimeImage::thread_local_words(std::string_view name)
{
    const auto symbols = file_.get() ? find_section(file_.get(), ".dynsym") : std::nullopt;
    const auto names = symbols ? find_section(file_.get(), ".dynstr") : std::nullopt;
    if (!names)
        return {};
    for (const Elf64_Rela& relocation : relocations(machine::native().thread_locals.module)) {
        Elf64_Sym symbol;
        const uint64_t number = ELF64_R_SYM(relocation.r_info);
        if (number == 0 || number >= symbols->sh_size / sizeof symbol)
            continue;
        const auto found = bytes(symbols->sh_addr + number * sizeof symbol, sizeof symbol);
        if (found.empty())
            continue;
        std::memcpy(&symbol, found.data(), sizeof symbol);
        const auto text = bytes(names->sh_addr + symbol.st_name, name.size() + 1);
        if (!text.empty() && std::equal(name.begin(), name.end(), text.begin()) && text.back() == 0)
            return relocation.r_offset;
    }
    return {};
}

bool RuntimeImage::has_thread_local_words(uint64_t address)
{
    const std::vector<Elf64_Rela> all = relocations(machine::native().thread_locals.module);
    return std::any_of(all.begin(), all.end(), [address](const Elf64_Rela& each) { return each.r_offset == address; });
}

/// Returns the start of each function and the address of its entry in .eh_frame, sorted. They are read from
/// .eh_frame_hdr. Only its usual encoding is supported: pairs of 4-byte numbers, relative to the section.
std::vector<RuntimeImage::Listed> RuntimeImage::listed_functions()
{
    // header for version 1; encodings pcrel sdata4, udata4, datarel sdata4
    constexpr uint8_t kUsual[] = {1, 0x1b, 0x03, 0x3b};
    constexpr std::size_t kHead = 12, kPair = 8;
    std::vector<Listed> functions;
    const auto section = file_.get() ? find_section(file_.get(), ".eh_frame_hdr") : std::nullopt;
    const std::span<const uint8_t> data =
        section ? bytes(section->sh_addr, section->sh_size) : std::span<const uint8_t>();
    if (data.size() < kHead || !std::equal(std::begin(kUsual), std::end(kUsual), data.begin()))
        return functions;
    for (std::size_t at = kHead; at + kPair <= data.size(); at += kPair) {
        int32_t pair[2];
        std::memcpy(pair, data.data() + at, sizeof pair);
        functions.push_back({section->sh_addr + static_cast<uint64_t>(int64_t{pair[0]}),
                             section->sh_addr + static_cast<uint64_t>(int64_t{pair[1]})});
    }
    std::sort(functions.begin(), functions.end(), [](const Listed& a, const Listed& b) { return a.start < b.start; });
    return functions;
}

std::vector<uint64_t> RuntimeImage::function_starts()
{
    std::vector<uint64_t> starts;
    for (const Listed& each : listed_functions())
        starts.push_back(each.start);
    return starts;
}

/// Returns the size of a function in bytes from its entry in .eh_frame, or 0 if the entry cannot be read.
uint64_t RuntimeImage::size_of(const Listed& function)
{
    constexpr std::size_t kSizeAt = 12; // an entry of .eh_frame begins with length, CIE, start and size, 4 bytes each
    uint32_t size = 0;
    if (const auto entry = bytes(function.entry + kSizeAt, sizeof size); !entry.empty())
        std::memcpy(&size, entry.data(), sizeof size);
    return size;
}

dt_address_range RuntimeImage::largest_undescribed_code()
{
    dt_address_range largest{0, 0};
    const std::vector<Listed> functions = listed_functions();
    for (std::size_t i = 0; i + 1 < functions.size(); ++i) {
        const uint64_t next = functions[i + 1].start;
        if (next - functions[i].start <= largest.end - largest.start)
            continue;
        if (const uint64_t end = functions[i].start + size_of(functions[i]);
            next > end && next - end > largest.end - largest.start)
            largest = {end, next};
    }
    return largest;
}

std::optional<RuntimeImage::Symbol> RuntimeImage::function_with_labels(std::size_t fewest)
{
    const std::vector<Listed> functions = listed_functions();
    std::vector<std::size_t> labels(functions.size());
    for (const Elf64_Rela& relocation : relocations(machine::native().relocations.relative)) {
        const auto address = static_cast<uint64_t>(relocation.r_addend);
        const auto next = std::upper_bound(functions.begin(), functions.end(), address,
                                           [](uint64_t wanted, const Listed& each) { return wanted < each.start; });
        if (next != functions.begin() && std::prev(next)->start != address &&
            address - std::prev(next)->start < size_of(*std::prev(next)))
            ++labels[static_cast<std::size_t>(next - functions.begin()) - 1];
    }
    const auto most = std::max_element(labels.begin(), labels.end());
    if (most == labels.end() || *most < fewest)
        return {};
    const Listed& function = functions[static_cast<std::size_t>(most - labels.begin())];
    return Symbol{function.start, size_of(function)};
}

std::vector<dt_address_range> RuntimeImage::parts_of(const Symbol& function)
{
    std::vector<dt_address_range> parts{{function.address, function.address + function.size}};
    const std::span<const uint8_t> code =
        function.size <= kMaxCode ? bytes(function.address, function.size) : std::span<const uint8_t>();
    const std::vector<uint64_t> starts = function_starts();
    std::map<uint64_t, std::size_t> jumps; // number of jumps to each function in the list; the key is its start
    for (const machine::Code::Exit& exit : machine::native().read_code(code, false).exits) {
        const uint64_t target = function.address + static_cast<uint64_t>(exit.target);
        const auto next = std::upper_bound(starts.begin(), starts.end(), target);
        if (exit.is_conditional && next != starts.begin() && next != starts.end())
            ++jumps[*std::prev(next)];
    }
    for (const auto& [start, count] : jumps)
        if (count >= kFewestJumps && parts.size() < DT_INTERPRETER_RANGES)
            parts.push_back({start, *std::upper_bound(starts.begin(), starts.end(), start)});
    return parts;
}

} // namespace dt
