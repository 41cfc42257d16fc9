// Finds and names frames of Ruby 2.7, 3.1, 3.3 and 3.4. The offsets are a table in this file, taken from the headers
// vm_core.h, iseq.h and method.h of each version. The Ruby file contains its version. Before the offsets are used, the
// types of objects in memory are checked.
//
// A call of vm_exec_core() runs a Ruby frame and the frames that it calls; the outermost one has the bit
// VM_FRAME_FLAG_FINISH. vm_exec_core() has no symbol. It is recognized by its labels, one for each operation, whose
// addresses are in a table. Methods written in C have frames too. They are shown, as in Ruby's own stack traces;
// otherwise their time would be attributed to their callers.
#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "libdtrace/interpreters/runtime.hpp"
#include "machine/accesses.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace ruby {
namespace {

struct Version {
    std::string_view number;
    // size of rb_control_frame_t; offset of insns_info in rb_iseq_constant_body, and size of an element of it
    uint32_t frame_size, lines, line_size;
    uint32_t text_embedded, last_operator; // RString; tLAST_OP_ID
};
constexpr Version kVersions[] = {
    {"2.7.", 56, 120, 8, 16, 168},
    {"3.1.", 64, 120, 12, 16, 169},
    {"3.3.", 56, 112, 12, 24, 169},
    {"3.4.", 56, 112, 12, 24, 170},
};
constexpr uint32_t kLinesCount = 16, kLinesIndex = 24; // after insns_info.body

/// Returns the version of Ruby, or an empty text if it cannot be read.
std::string version_of(RuntimeImage& image)
{
    constexpr uint64_t kMaxText = 32;
    const auto symbol = image.symbol("ruby_version");
    const auto data =
        symbol && symbol->size <= kMaxText ? image.bytes(symbol->address, symbol->size) : std::span<const uint8_t>();
    return {data.begin(), std::find(data.begin(), data.end(), 0)};
}

/// The memory accesses at the beginning of a function, which lead to data without symbols.
struct Beginning {
    Beginning(RuntimeImage& image, std::string_view name)
    {
        constexpr uint64_t kSearched = 80;
        if (const auto symbol = image.symbol(name)) {
            address = symbol->address;
            accesses = machine::read_accesses(image.bytes(address, std::min(symbol->size, kSearched)));
        }
    }
    /// Returns the address of an access that is relative to the function's start, or 0 for an access that depends on a
    /// register.
    uint64_t target(const machine::Access& access) const
    {
        return access.base == machine::Access::kFunctionStart ? address + static_cast<uint64_t>(access.offset) : 0;
    }

    uint64_t address = 0;
    std::vector<machine::Access> accesses;
};

/// Describes how to find the pointer to the thread's execution context. Returns false if it cannot be found. Newer
/// versions do not export this thread-local variable. Then the start of rb_current_receiver() is decoded, which reads
/// the variable. To get the variable's address, this code calls a function. The argument of the call is the address of
/// two words: the variable's module and offset.
bool fill_pointer(dt_interpreter& layout, RuntimeImage& image)
{
    constexpr std::string_view kVariable = "ruby_current_ec", kReader = "rb_current_receiver";
    // offset in the thread control block of the pointer to the module table (DTV), as the BPF program assumes it
    constexpr uint32_t kModules = 8;
    constexpr int64_t kMaxOffset = 65536; // maximum offset of a thread-local variable
    if (const auto distance = image.thread_local_distance(kVariable)) {
        layout.context.pointer = DT_POINTER_NEAR_BASE;
        layout.head = *distance;
        return true;
    }
    layout.context.pointer = DT_POINTER_IN_MODULE;
    if (machine::native().thread_locals.table != kModules)
        return false;
    if (const auto words = image.thread_local_words(kVariable)) {
        layout.head = *words;
        return true;
    }
    const Beginning reader(image, kReader);
    if (reader.accesses.size() < 2)
        return false;
    const machine::Access &words = reader.accesses[0], &variable = reader.accesses[1];
    if (words.is_load || !image.has_thread_local_words(reader.target(words)) || !variable.is_load ||
        reader.target(variable) != 0 || variable.offset < 0 || variable.offset > kMaxOffset)
        return false;
    layout.head = reader.target(words);
    layout.control.pointer_offset = static_cast<uint32_t>(variable.offset);
    return true;
}

/// Describes how to find the thread in Ruby 2.7, which has a list of its threads with the pthread_t of each thread.
bool fill_threads(dt_interpreter& layout, RuntimeImage& image)
{
    const auto machine = image.symbol("ruby_current_vm_ptr");
    layout.context.pointer = DT_POINTER_BY_THREAD;
    layout.head = machine ? machine->address : 0;
    layout.first_thread = 312; // rb_vm_t.living_threads
    layout.next_thread = 0;    // the offsets of vmlt_node, thread_id and ec in rb_thread_t
    layout.thread_id = 72;
    layout.frame_of_thread = 32;
    return machine.has_value();
}

/// Returns the address of the pointer to the array of names (ids in rb_symbols_t), or 0 if it is not found. If there is
/// no symbol, decodes the start of rb_sym_all_symbols(). It reads the number of names from a table; the pointer to this
/// table precedes the pointer to the array.
uint64_t address_of_names(RuntimeImage& image)
{
    constexpr int64_t kCount = 16; // st_table.num_entries
    constexpr uint64_t kTable = 8, kNames = 16;
    if (const auto symbol = image.symbol("ruby_global_symbols"))
        return symbol->address + kNames;
    const Beginning lister(image, "rb_sym_all_symbols");
    for (std::size_t i = 0; i + 1 < lister.accesses.size(); ++i) {
        const machine::Access &table = lister.accesses[i], &count = lister.accesses[i + 1];
        if (table.is_load && lister.target(table) != 0 && count.is_load && count.base == table.to &&
            count.offset == kCount)
            return lister.target(table) - kTable + kNames;
    }
    return 0;
}

std::string fill(dt_interpreter& layout, RuntimeImage& image)
{
    const std::string number = version_of(image);
    const auto* const known = std::find_if(std::begin(kVersions), std::end(kVersions),
                                           [&number](const Version& each) { return number.starts_with(each.number); });
    if (known == std::end(kVersions))
        return "dtrace supports versions 2.7, 3.1, 3.3 and 3.4, and this is version " +
               (number.empty() ? "unknown" : number);
    layout.control.frame_size = known->frame_size;
    layout.control.lines = known->lines;
    layout.control.lines_count = known->lines + kLinesCount;
    layout.control.lines_index = known->lines + kLinesIndex;
    layout.control.line_size = known->line_size;
    layout.control.text_embedded = known->text_embedded;
    layout.control.last_operator = known->last_operator;
    layout.control.names = address_of_names(image);
    if (layout.loop[0].start == layout.loop[0].end)
        return "dtrace cannot find its interpreter loop (vm_exec_core)";
    if (!(known == std::begin(kVersions) ? fill_threads(layout, image) : fill_pointer(layout, image)))
        return "dtrace cannot find the pointer to a thread's execution context in this library";
    return {};
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    constexpr std::size_t kFewestOperations = 150;
    if (!image.symbol("ruby_version") || !image.symbol("rb_sym_all_symbols") || !image.symbol("ruby_run_node"))
        return {};
    RuntimeBuild build;
    build.layout.flags = DT_BY_CONTROL_FRAME;
    if (const auto loop = image.function_with_labels(kFewestOperations)) {
        const std::vector<dt_address_range> parts = image.parts_of(*loop);
        std::copy_n(parts.begin(), std::min<std::size_t>(parts.size(), DT_INTERPRETER_RANGES), build.layout.loop);
    }
    build.problem = fill(build.layout, image);
    return build;
}

/// Returns a captured text in UTF-8, or nothing if it was not captured or contains a zero byte. If only the beginning
/// of the text was captured, "..." is appended. Bytes that are not UTF-8 become U+FFFD.
std::optional<std::string> text_of(std::span<const uint8_t> data, uint64_t word)
{
    constexpr uint64_t kMaxLength = 1 << 16;
    constexpr uint64_t kUsAscii = 2; // Ruby's numbers of encodings: 0 is bytes, 1 is UTF-8, 2 is US-ASCII
    const uint64_t length = word & 0xffffffff, encoding = word >> 32;
    if (length > kMaxLength || (length != 0 && data.empty()))
        return {};
    const std::string_view bytes(reinterpret_cast<const char*>(data.data()),
                                 std::min<std::size_t>(length, data.size()));
    std::string text;
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t size = encoding > kUsAscii && bytes[i] < 0 ? 0 : utf8_length(bytes.substr(i));
        if (bytes[i] == 0)
            return {};
        if (size != 0)
            text += bytes.substr(i, size);
        // skips a character at the end that was captured only in part
        else if (bytes.size() == length || i + 4 < bytes.size())
            append_utf8(text, 0xfffd);
        i += std::max<std::size_t>(size, 1);
    }
    return bytes.size() < length ? text + "..." : text;
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild&, const dt_code& code, int32_t line)
{
    uint64_t head[DT_METHOD_WORDS];
    std::memcpy(head, code.head, sizeof head);
    const auto captured = [&code](std::span<const uint8_t> text, std::size_t which) {
        return text.first(std::min<std::size_t>(text.size(), code.got[which]));
    };
    const auto name = text_of(captured(code.name, 0), head[DT_METHOD_NAME]);
    const auto file = text_of(captured(code.file, 1), head[DT_METHOD_FILE]);
    if (!name || !file || line < 0 || head[DT_METHOD_FORM] == 0 || head[DT_METHOD_FORM] >= DT_METHOD_FORMS)
        return {};
    return RuntimeFrame{name->empty() ? "(no name)" : *name, file->empty() ? "no file" : *file,
                        static_cast<uint32_t>(line)};
}

} // namespace
} // namespace ruby

const Runtime kRuby{"ruby", "ruby", ruby::recognise, ruby::name_frame};

} // namespace dt
