// Finds and names JavaScript frames in Node.js 18 to 24. V8 publishes the layout of its objects as constants with
// symbols (v8dbg_...), in the program or in its library. No constants describe the layout of scopes (ScopeInfo). This
// layout is the same in all these versions, with one exception: the offset of a function's position depends on
// v8dbg_scopeinfo_idx_first_vars.
//
// JavaScript functions have native frames with frame pointers. Interpreted functions run in V8's builtins: code of the
// program that has no unwind tables. Compiled functions are in memory that maps no file.
#include <cstring>
#include <limits>

#include "base/text.hpp"
#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace v8 {
namespace {

// V8 has several consecutive object types for functions, for example one for classes. This is their number without the
// first one.
constexpr uint32_t kFunctionTypes = 20;
constexpr uint64_t kSmallestBuiltins = 512 << 10; // bytes
constexpr int32_t kMaxType = 1 << 16, kMaxOffset = 128;

/// Reads the constants that V8 publishes for debuggers (v8dbg_...).
class Published {
public:
    explicit Published(RuntimeImage& image) : image_(image) {}

    /// Returns the first constant whose name starts with `name`. Most names end with a C++ type, which the caller need
    /// not know.
    std::optional<int32_t> number(std::string_view name)
    {
        const auto found = image_.symbol_starting("v8dbg_" + std::string(name));
        const std::span<const uint8_t> data =
            found ? image_.bytes(found->address, sizeof(int32_t)) : std::span<const uint8_t>();
        int32_t value = 0;
        if (data.empty())
            return {};
        std::memcpy(&value, data.data(), sizeof value);
        return value;
    }

    /// Sets `to` to a constant. If the constant does not exist or is not in the range 0 to `most`, missing() returns
    /// its name.
    void set(uint32_t& to, std::string_view name, int32_t most)
    {
        const auto found = number(name);
        if (found && *found >= 0 && *found <= most)
            to = static_cast<uint32_t>(*found);
        else
            missing_ = name;
    }

    /// Checks that a constant has the value that the BPF program assumes. Otherwise missing() returns its name.
    void require(std::string_view name, int32_t value)
    {
        if (number(name) != value)
            missing_ = name;
    }

    const std::string& missing() const { return missing_; }

private:
    RuntimeImage& image_;
    std::string missing_;
};

void require_known_objects(Published& published)
{
    const std::pair<std::string_view, int32_t> known[] = {
        {"HeapObjectTag", 1},
        {"HeapObjectTagMask", 3},
        {"SmiShiftSize", 31},
        {"SmiTagMask", 1},
        {"TaggedSize", 8},
        {"class_Map__instance_type__", 12},
        {"class_String__length__", 12},
        {"FirstNonstringType", 128},
        {"StringRepresentationMask", 7},
        {"OneByteStringTag", 8},
        {"StringEncodingMask", 8},
        {"ConsStringTag", 1},
        {"ExternalStringTag", 2},
        {"SlicedStringTag", 3},
        {"ThinStringTag", 5},
        {"class_ConsString__first__", 16},
        {"class_ConsString__second__", 24},
        {"class_ThinString__actual__", 16},
        {"class_SlicedString__parent__", 16},
        {"class_SlicedString__offset__", 24},
        {"class_ExternalString__resource__", 16},
        {"class_SeqOneByteString__chars__", 16},
        {"class_SeqTwoByteString__chars__", 16},
        {"class_FixedArray__data__", 16},
        {"scopeinfo_idx_nparams", 1},
        {"scopeinfo_idx_ncontextlocals", 2},
    };
    for (const auto& [name, value] : known)
        published.require(name, value);
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    Published published(image);
    const auto function = published.number("off_fp_function"), context = published.number("off_fp_context");
    if (!function || !context)
        return {};
    RuntimeBuild build;
    build.layout.flags = DT_BY_FRAME_POINTER;
    require_known_objects(published);
    dt_function_layout& layout = build.layout.function;
    published.set(layout.shared, "class_JSFunction__shared__", 32);
    published.set(layout.name, "class_SharedFunctionInfo__name_or_scope_info__", 40);
    published.set(layout.script, "class_SharedFunctionInfo__script", 40);
    published.set(layout.script_source, "class_Script__source__", 56);
    published.set(layout.script_name, "class_Script__name__", 48);
    published.set(layout.script_lines, "class_Script__line_ends__", 56);
    published.set(layout.first_variable, "scopeinfo_idx_first_vars", 5);
    published.set(layout.first_function, "type_JSFunction__JS_FUNCTION_TYPE", kMaxType);
    layout.last_function = layout.first_function + kFunctionTypes;
    published.set(layout.first_context, "FirstContextType", kMaxType);
    published.set(layout.last_context, "LastContextType", kMaxType);
    published.set(layout.shared_type, "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", kMaxType);
    published.set(layout.scope_type, "type_ScopeInfo__SCOPE_INFO_TYPE", kMaxType);
    published.set(layout.script_type, "type_Script__SCRIPT_TYPE", kMaxType);
    published.set(layout.array_type, "type_FixedArray__FIXED_ARRAY_TYPE", kMaxType);
    layout.function_below = static_cast<uint32_t>(-*function);
    const dt_address_range builtins = image.largest_undescribed_code();
    build.layout.loop[0] = builtins;
    const bool has_offsets = layout.shared % 8 == 0 && layout.name % 8 == 0 && layout.script % 8 == 0 &&
                             layout.script_source % 8 == 0 && layout.script_name % 8 == 0 &&
                             layout.script_lines % 8 == 0;
    if (!published.missing().empty())
        build.problem = "its table of offsets has an unknown v8dbg_" + published.missing();
    else if (*function >= 0 || *function < -kMaxOffset || *function % 8 != 0 || *context != *function + 8 ||
             !has_offsets || (layout.first_variable != 3 && layout.first_variable != 5))
        build.problem = "its table of offsets (v8dbg_...) has unexpected values";
    else if (builtins.end - builtins.start < kSmallestBuiltins)
        build.problem = "its builtins are not a part of the file";
    return build;
}

uint32_t form_of(uint64_t word)
{
    return static_cast<uint32_t>(word) & ~uint32_t{DT_TEXT_END};
}

/// Returns a captured text in UTF-8, or nothing if it is not the name of a function or file. "..." replaces a part of
/// the text that was not captured.
std::optional<std::string> text_of(uint64_t word, std::span<const uint8_t> data)
{
    const uint32_t form = form_of(word);
    const uint64_t bytes = word >> 32;
    std::string text;
    if (form != DT_TEXT_1_BYTE && form != DT_TEXT_2_BYTE)
        return form < DT_TEXT_FORMS && bytes == 0 ? std::optional(text) : std::nullopt;
    const std::size_t unit = form == DT_TEXT_1_BYTE ? 1 : 2, count = std::min<uint64_t>(bytes, data.size()) / unit;
    const auto at = [&](std::size_t i) -> uint32_t {
        return unit == 1 ? data[i] : data[2 * i] | uint32_t{data[2 * i + 1]} << 8;
    };
    if ((bytes != 0 && count == 0) || bytes % unit != 0)
        return {};
    if (word & DT_TEXT_END)
        text = count != 0 && at(0) == '.' ? ".." : "...";
    for (std::size_t i = 0; i < count; ++i) {
        uint32_t character = at(i);
        if (character < ' ' || character == 0x7f)
            return {};
        if (character >= 0xd800 && character < 0xdc00 && i + 1 < count && at(i + 1) >= 0xdc00 && at(i + 1) < 0xe000)
            character = 0x10000 + ((character - 0xd800) << 10) + (at(++i) - 0xdc00);
        else if (character >= 0xd800 && character < 0xe000)
            character = 0xfffd;
        append_utf8(text, character);
    }
    return count * unit < bytes ? text + "..." : text;
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild&, const dt_code& code, int32_t)
{
    uint64_t head[DT_FUNCTION_WORDS];
    std::memcpy(head, code.head, sizeof head);
    const auto captured = [&code](std::span<const uint8_t> text, std::size_t which) {
        return text.first(std::min<std::size_t>(text.size(), code.got[which]));
    };
    const auto function = text_of(head[DT_FUNCTION_NAME], captured(code.name, 0));
    const auto file = text_of(head[DT_FUNCTION_FILE], captured(code.file, 1));
    if (!function || !file || head[DT_FUNCTION_LINE] > std::numeric_limits<int32_t>::max())
        return {};
    const auto name_form = form_of(head[DT_FUNCTION_NAME]);
    const auto file_form = form_of(head[DT_FUNCTION_FILE]);
    RuntimeFrame frame{*function, *file, static_cast<uint32_t>(head[DT_FUNCTION_LINE])};
    if (frame.function.empty())
        frame.function = name_form == DT_TEXT_ROPE ? "(name not in one place)" : "(anonymous)";
    if (frame.file.empty())
        frame.file = file_form == DT_TEXT_BUILTIN ? "builtin"
                     : file_form == DT_TEXT_ROPE  ? "file name not in one place"
                                                  : "no file";
    return frame;
}

} // namespace
} // namespace v8

const Runtime kNode{"node", "node", v8::recognise, v8::name_frame};

} // namespace dt
