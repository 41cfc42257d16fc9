#include "libdtrace/elf/thread_local.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/foreign_files.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr std::string_view kContextVariable = "otel_thread_ctx_v1";
constexpr std::size_t kMostFilledWords = 16; // limit of words in untrusted data; a file has one or two

std::optional<ThreadLocal::Filled> filled_by(uint64_t type)
{
    const machine::ThreadLocals& known = machine::native().thread_locals;
    if (type == 0)
        return std::nullopt;
    if (type == known.offset)
        return ThreadLocal::Filled::Offset;
    if (type == known.descriptor)
        return ThreadLocal::Filled::Descriptor;
    return type == known.module ? std::optional(ThreadLocal::Filled::Module) : std::nullopt;
}

/// Returns whether the relocation is for the variable: by name, or by its offset in the TLS block if the linker has
/// bound it.
bool is_of_variable(Elf* elf, const GElf_Shdr& header, const GElf_Rela& relocation, const ThreadLocal& variable)
{
    const auto number = GELF_R_SYM(relocation.r_info);
    if (number == 0)
        return variable.is_defined && relocation.r_addend >= 0 &&
               static_cast<uint64_t>(relocation.r_addend) == variable.offset;
    Elf_Scn* const section = elf_getscn(elf, header.sh_link);
    GElf_Shdr symbols;
    GElf_Sym symbol;
    if (!section || !gelf_getshdr(section, &symbols) || symbols.sh_entsize == 0)
        return false;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (!data || number > INT32_MAX || !gelf_getsym(data, static_cast<int>(number), &symbol))
        return false;
    const char* const name = elf_strptr(elf, symbols.sh_link, symbol.st_name);
    return name && std::string_view(name, strnlen(name, kLongestName)) == kContextVariable;
}

void find_words(Elf* elf, ThreadLocal& variable)
{
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0)
            continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(std::min<uint64_t>(header.sh_size / header.sh_entsize, INT32_MAX));
        GElf_Rela relocation;
        for (int i = 0; data && i < count && gelf_getrela(data, i, &relocation); ++i) {
            const auto how = filled_by(GELF_R_TYPE(relocation.r_info));
            if (how && is_of_variable(elf, header, relocation, variable) && variable.words.size() < kMostFilledWords)
                variable.words.push_back({relocation.r_offset, *how});
        }
    }
}

void find_block(Elf* elf, ThreadLocal& variable)
{
    std::size_t count = 0;
    GElf_Phdr part;
    if (elf_getphdrnum(elf, &count) != 0)
        return;
    for (std::size_t i = 0; i < count && gelf_getphdr(elf, static_cast<int>(i), &part); ++i)
        if (part.p_type == PT_TLS) {
            variable.begin = part.p_vaddr;
            variable.size = part.p_memsz;
            variable.alignment = std::max<uint64_t>(part.p_align, 1);
        }
}

ThreadLocal find_context_variable(const std::string& path)
{
    ThreadLocal variable;
    const ElfFile file(path);
    bool is_named = false;
    if (!file.get())
        return variable;
    for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_TLS || without_version(text) != kContextVariable)
            return;
        is_named = true;
        if (symbol.st_shndx != SHN_UNDEF) {
            variable.is_defined = true;
            variable.offset = symbol.st_value;
        }
    });
    if (!is_named)
        return variable;
    find_block(file.get(), variable);
    find_words(file.get(), variable);
    return variable;
}

} // namespace

int64_t ThreadLocal::offset_in_executable() const
{
    constexpr uint64_t kHead = 16; // size of the thread's header, between the thread pointer and its variables
    const uint64_t mask = alignment - 1;
    if (machine::native().thread_locals.is_below)
        return static_cast<int64_t>(offset - (((begin + size + mask) & ~mask) - begin));
    return static_cast<int64_t>(offset + kHead + ((begin - kHead) & mask));
}

ThreadLocal thread_context_variable(ForeignFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        const ThreadLocal found = find_context_variable(std::string(file));
        PackedWriter answer;
        if (!found.is_there())
            return answer.take();
        for (const uint64_t number :
             {uint64_t{found.is_defined}, found.offset, found.begin, found.size, found.alignment})
            answer.number(number);
        answer.array(std::span<const ThreadLocal::Word>(found.words));
        return answer.take();
    };
    const Result<std::string> answer = files.read(path, read, path);
    ThreadLocal variable;
    if (!answer || answer.value().empty())
        return variable;
    PackedReader told(answer.value());
    variable.is_defined = told.number() != 0;
    for (uint64_t* const number : {&variable.offset, &variable.begin, &variable.size, &variable.alignment})
        *number = told.number();
    variable.words = told.array<ThreadLocal::Word>();
    return told.good() && variable.words.size() <= kMostFilledWords ? variable : ThreadLocal{};
}

} // namespace dt
