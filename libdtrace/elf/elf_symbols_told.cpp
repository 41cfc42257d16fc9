// Encodes and decodes symbols between a sandboxed reader and the tracer. Lookups need symbols sorted by unique
// addresses and sorted aliases, so the decoder checks that.
#include <algorithm>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/foreign_files.hpp"

namespace dt {
namespace {

constexpr uint64_t kIsFunction = 1, kIsIndirect = 2, kBindingShift = 2;
constexpr std::size_t kLeastBytesOfSymbol = 4;
constexpr std::size_t kMostSymbolsTold = 2 << 20; // limit of symbols per table: 120 MB without the names

void tell_symbols(PackedWriter& answer, const std::vector<ElfSymbols::Symbol>& symbols)
{
    answer.number(symbols.size());
    uint64_t last = 0;
    for (const ElfSymbols::Symbol& symbol : symbols) {
        answer.number(symbol.start - std::exchange(last, symbol.start));
        answer.number(symbol.size);
        answer.number((symbol.is_function ? kIsFunction : 0) | (symbol.is_indirect ? kIsIndirect : 0) |
                      static_cast<uint64_t>(symbol.binding) << kBindingShift);
        answer.text(symbol.name);
    }
}

std::string request_of(const std::string& path, const std::string& named)
{
    PackedWriter request;
    request.text(path);
    request.text(name_of_foreign(named));
    return request.take();
}

} // namespace

void ElfSymbols::tell_file(PackedWriter& answer) const
{
    answer.number((found_ ? 1U : 0U) | (is_go_ ? 2U : 0U) | (is_32bit_ ? 4U : 0U));
    answer.array(std::span<const Segment>(segments_));
}

void ElfSymbols::take_file(PackedReader& answer)
{
    const uint64_t kind = answer.number();
    found_ = (kind & 1) != 0;
    is_go_ = (kind & 2) != 0;
    is_32bit_ = (kind & 4) != 0;
    segments_ = answer.array<Segment>();
}

std::string ElfSymbols::told() const
{
    PackedWriter answer;
    tell_file(answer);
    tell_symbols(answer, symbols_);
    tell_symbols(answer, aliases_);
    return answer.take();
}

std::string ElfSymbols::told_packed() const
{
    PackedWriter answer;
    tell_file(answer);
    packed_.tell(answer);
    return answer.take();
}

std::vector<ElfSymbols::Symbol> ElfSymbols::symbols_told(PackedReader& answer)
{
    std::vector<Symbol> symbols(answer.count(kLeastBytesOfSymbol, kMostSymbolsTold));
    uint64_t last = 0;
    for (Symbol& symbol : symbols) {
        symbol.start = last += answer.number();
        symbol.size = answer.number();
        const uint64_t kind = answer.number();
        symbol.is_function = (kind & kIsFunction) != 0;
        symbol.is_indirect = (kind & kIsIndirect) != 0;
        symbol.binding = static_cast<int>(std::min<uint64_t>(kind >> kBindingShift, 2));
        symbol.name = answer.text().substr(0, kLongestName);
        symbol.name.resize(symbol.name.find('\0') == std::string::npos ? symbol.name.size() : symbol.name.find('\0'));
    }
    return symbols;
}

bool ElfSymbols::take_told(std::string_view bytes)
{
    PackedReader answer(bytes);
    take_file(answer);
    symbols_ = symbols_told(answer);
    aliases_ = symbols_told(answer);
    bytes_ = (symbols_.capacity() + aliases_.capacity()) * sizeof(Symbol) + bytes.size();
    const auto is_not_before = [](const Symbol& a, const Symbol& b) { return a.start >= b.start; };
    const auto is_behind = [](const Symbol& a, const Symbol& b) { return a.start > b.start; };
    return answer.good() && std::adjacent_find(symbols_.begin(), symbols_.end(), is_not_before) == symbols_.end() &&
           std::adjacent_find(aliases_.begin(), aliases_.end(), is_behind) == aliases_.end();
}

bool ElfSymbols::take_packed(std::string_view bytes)
{
    PackedReader answer(bytes);
    take_file(answer);
    packed_ = PackedSymbols::told(answer);
    bytes_ = packed_.memory();
    return answer.good();
}

/// Runs in the reader.
ElfSymbols ElfSymbols::asked(std::string_view request)
{
    PackedReader asked(request);
    const std::string file(asked.text()), name(asked.text());
    return {file, name};
}

ElfSymbols ElfSymbols::of_foreign(ForeignFiles& files, const std::string& path, const std::string& named)
{
    if (files.by() == ReadBy::Tracer)
        return ElfSymbols(path, named);
    const ReadFunction read = [](ReaderState&, std::string_view request) { return asked(request).told(); };
    ElfSymbols symbols;
    const Result<std::string> answer = files.read(path, read, request_of(path, named));
    if (answer && symbols.take_told(answer.value()))
        return symbols;
    return {};
}

ElfSymbols ElfSymbols::packed_of_foreign(ForeignFiles& files, const std::string& path, const std::string& named)
{
    if (files.by() == ReadBy::Tracer)
        return ElfSymbols(path, named);
    const ReadFunction read = [](ReaderState&, std::string_view request) {
        ElfSymbols symbols = asked(request);
        symbols.pack();
        return symbols.told_packed();
    };
    ElfSymbols symbols;
    const Result<std::string> answer = files.read(path, read, request_of(path, named));
    if (answer && symbols.take_packed(answer.value()))
        return symbols;
    return {};
}

} // namespace dt
