// Finds and names frames of Perl 5.32, 5.36, 5.40 and 5.42, built with threads as in Linux distributions. The offsets
// are a table in this file, taken from the headers intrpvar.h, cop.h and opnames.h. The Perl file contains its version,
// the size of an interpreter and its build options, which are compared with the table.
//
// Perl has a stack of contexts. The context of a function contains the function and the statement that called it. A
// function that native code has called runs in a new loop of the interpreter and has no operation to return to. The
// pointer to the thread's interpreter is a thread-local variable from 5.34 on; before, it is the value of a pthread
// key.
#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "libdtrace/interpreters/runtime.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace perl {
namespace {

struct Version {
    unsigned minor;
    uint32_t stack, statement; // offsets in an interpreter
    uint32_t statement_type, call_type, return_type;
    bool package_has_names;
    struct {
        uint32_t size, own_statement; // size of an interpreter; offset in it of the statement that Perl's compiler uses
    } machines[2];                    // for each machine, because the size of an interpreter depends on the machine's
                                      // jmp_buf
};
constexpr Version kVersions[] = {
    {32, 240, 224, 195, 184, 205, false, {{3792, 1952}, {3888, 2048}}},
    {36, 224, 208, 195, 184, 205, true, {{3768, 1936}, {3864, 2032}}},
    {40, 224, 208, 198, 187, 208, true, {{3768, 1720}, {3864, 1816}}},
    {42, 224, 208, 202, 191, 212, true, {{3768, 1720}, {3864, 1816}}},
};

/// Returns the value of a variable of `size` bytes, or 0 if it does not exist.
uint32_t number(RuntimeImage& image, std::string_view name, std::size_t size)
{
    const auto symbol = image.symbol(name);
    const auto data = symbol ? image.bytes(symbol->address, size) : std::span<const uint8_t>();
    uint32_t value = 0;
    if (!data.empty())
        std::memcpy(&value, data.data(), std::min(data.size(), sizeof value));
    return value;
}

/// Returns whether Perl was built with `option`. Only options that affect binary compatibility can be queried.
bool has_option(RuntimeImage& image, std::string_view option)
{
    const auto symbol = image.symbol("PL_bincompat_options");
    const auto data = symbol ? image.bytes(symbol->address, symbol->size) : std::span<const uint8_t>();
    return std::search(data.begin(), data.end(), option.begin(), option.end()) != data.end();
}

/// Describes how to find the pointer to the thread's interpreter. Returns the reason why it cannot be found, or an
/// empty text if it can.
std::string fill_pointer(dt_interpreter& layout, RuntimeImage& image)
{
    constexpr std::string_view kVariable = "PL_current_context";
    // offset in the thread control block of the pointer to the module table (DTV), as the BPF program assumes it
    constexpr uint32_t kModules = 8;
    const auto key = image.symbol("PL_thr_key");
    if (const auto words = image.thread_local_words(kVariable);
        words && machine::native().thread_locals.table == kModules) {
        layout.context.pointer = DT_POINTER_IN_MODULE;
        layout.head = *words;
    } else if (const auto distance = image.thread_local_distance(kVariable)) {
        layout.context.pointer = DT_POINTER_NEAR_BASE;
        layout.head = *distance;
    } else if (key && !image.has_thread_local(kVariable) && machine::native().thread_locals.is_below) {
        layout.context.pointer = DT_POINTER_BY_KEY;
        layout.head = key->address;
    } else {
        return "dtrace cannot find the pointer to a thread's interpreter in this library";
    }
    return {};
}

std::string fill(RuntimeBuild& build, RuntimeImage& image)
{
    // Perl's build options that change objects, or how operations call native code
    constexpr std::string_view kUnknown[] = {"DEBUG_LEAKING_SCALARS", "PERL_DEBUG", "PERL_RC_STACK"};
    const uint32_t minor = number(image, "PL_version", 1), size = number(image, "PL_interp_size", 2);
    const auto* const known = std::find_if(std::begin(kVersions), std::end(kVersions),
                                           [minor](const Version& each) { return each.minor == minor; });
    if (number(image, "PL_revision", 1) != 5 || known == std::end(kVersions))
        return "dtrace supports versions 5.32, 5.36, 5.40 and 5.42, and this is version 5." + std::to_string(minor);
    if (!has_option(image, "USE_ITHREADS"))
        return "it was built without threads, and dtrace supports builds with threads only";
    const auto* const machine = std::find_if(std::begin(known->machines), std::end(known->machines),
                                             [size](const auto& each) { return each.size == size; });
    if (machine == std::end(known->machines))
        return "its interpreter structure has an unexpected size (" + std::to_string(size) + ")";
    for (const std::string_view option : kUnknown)
        if (has_option(image, option))
            return "dtrace does not support its build option (" + std::string(option) + ")";
    dt_context_layout& layout = build.layout.context;
    layout.stack = known->stack;
    layout.statement = known->statement;
    layout.own_statement = machine->own_statement;
    layout.statement_type = known->statement_type;
    layout.call_type = known->call_type;
    layout.return_type = known->return_type;
    layout.package_has_names = known->package_has_names;
    return fill_pointer(build.layout, image);
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    const auto loop = image.symbol("Perl_runops_standard"), main = image.symbol("perl_run");
    if (!loop || !main || !image.symbol("PL_version") || !image.symbol("PL_interp_size"))
        return {};
    RuntimeBuild build;
    build.layout.flags = DT_BY_CONTEXT;
    build.layout.loop[0] = {loop->address, loop->address + loop->size};
    build.layout.context.main = {main->address, main->address + main->size};
    build.problem = fill(build, image);
    return build;
}

/// Returns the captured name of `length` bytes in UTF-8, or nothing if the bytes are not a name. If only the beginning
/// was captured, "..." is appended.
std::optional<std::string> name_of(std::span<const uint8_t> data, uint64_t length)
{
    constexpr uint64_t kMaxLength = 1 << 16;
    constexpr uint8_t kIsUtf8 = 1; // HVhek_UTF8
    const bool is_whole = length + 2 <= data.size();
    if (length == 0 || length > kMaxLength || data.empty() || (is_whole && data[length] != 0))
        return {};
    const bool is_utf8 = is_whole && data[length + 1] & kIsUtf8;
    std::string name;
    for (const uint8_t each : data.first(std::min<std::size_t>(length, data.size()))) {
        if (each == 0)
            return {};
        if (is_utf8)
            name += static_cast<char>(each);
        else
            append_utf8(name, each);
    }
    return is_whole ? name : name + "...";
}

/// Returns the captured file name, which may be truncated; "no file" if it is empty.
std::string file_of(std::span<const uint8_t> data)
{
    const auto end = std::find(data.begin(), data.end(), 0);
    const std::string file(data.begin(), end);
    return file.empty() ? "no file" : file.size() + 1 == data.size() ? file + "..." : file;
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild&, const dt_code& code, int32_t line)
{
    uint64_t head[DT_CONTEXT_HEAD];
    std::memcpy(head, code.head, sizeof head);
    const auto captured = [&code](std::span<const uint8_t> text, std::size_t which) {
        return text.first(std::min<std::size_t>(text.size(), code.got[which]));
    };
    std::optional<std::string> name;
    const auto own_name = name_of(captured(code.name, 0), head[DT_CONTEXT_NAME_LENGTH]);
    std::optional<std::string> package("__ANON__");
    if (head[DT_CONTEXT_PACKAGE_LENGTH] != 0)
        package = name_of(captured(code.table, 2), head[DT_CONTEXT_PACKAGE_LENGTH]);
    switch (head[DT_CONTEXT_FORM]) {
    case DT_CONTEXT_FUNCTION:
        if (own_name && package)
            name = *package + "::" + *own_name;
        break;
    case DT_CONTEXT_LEXICAL:
        name = own_name;
        break;
    case DT_CONTEXT_UNNAMED:
        name = "(unknown)";
        break;
    case DT_CONTEXT_FORMAT:
        name = "(format)";
        break;
    case DT_CONTEXT_EVALUATED:
        name = "(eval)";
        break;
    case DT_CONTEXT_MAIN:
        name = "(main)";
        break;
    default:
        break;
    }
    const auto file = captured(code.file, 1);
    if (!name || line < 0 || file.size() != DT_CONTEXT_FILE)
        return {};
    return RuntimeFrame{*name, file_of(file), static_cast<uint32_t>(line)};
}

} // namespace
} // namespace perl

const Runtime kPerl{"perl", "perl", perl::recognise, perl::name_frame};

} // namespace dt
