// Finds and names Python frames in CPython 3.8 to 3.14. From 3.13 on, the interpreter contains a table of its own
// offsets (_Py_DebugOffsets). The offsets of older versions are tables in this file. They come from the headers
// frameobject.h, cpython/code.h, cpython/pystate.h and internal/pycore_*.h.
//
// Up to 3.10, each call of _PyEval_EvalFrameDefault() runs one Python frame. From 3.11 on, a call also runs the frames
// that its first frame calls; the first frame is the entry frame. In 3.11, a flag marks the entry frame. Later versions
// put an additional frame before the entry frame, which belongs to the C stack.
#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace cpython {
namespace {

enum Fact : std::size_t { Unicode, Bytes, AsciiSize, CompactSize, FirstLine, Lines };
/// Values of facts[Lines]: the format of the line table of a code object. The BPF program captures that table as the
/// third text.
enum : uint64_t { kLocationTable, kLineTable310, kLineTable38 };

constexpr uint32_t kUnicodeLength = 16, kUnicodeState = 32; // struct PyASCIIObject
constexpr uint32_t kBytesLength = 16, kBytesData = 32;      // struct PyBytesObject
constexpr uint32_t kCodeLength = 16;                        // struct PyVarObject
constexpr uint32_t kType = 8;                               // struct PyObject
constexpr uint64_t kReferenceTags = 3;                      // _PyStackRef

/// Sets the offsets in `layout` for CPython 3.8 to 3.10. These versions differ in the size of an instruction and in the
/// format of the line table.
void fill_38(RuntimeBuild& build, uint64_t runtime, unsigned minor)
{
    dt_interpreter& layout = build.layout;
    layout.head = runtime + 32;
    layout.next_interpreter = 0;
    layout.first_thread = 8;
    layout.next_thread = 8;
    layout.thread_id = 176;
    layout.frame_of_thread = 24;
    layout.flags = DT_ENTRY_IS_SHOWN | DT_EACH_IS_ENTRY | DT_INSTRUCTION_IS_INDEX;
    layout.frame_size = 112;
    layout.code_of_frame = 32;
    layout.next_frame = 24;
    layout.instruction = minor >= 10 ? 96 : 104; // f_lasti
    layout.instruction_size = minor >= 10 ? 2 : 1;
    layout.code_size = 176;
    layout.code_instructions = 48;
    layout.texts[0] = 112;
    layout.texts[1] = 104;
    layout.texts[2] = 120;
    build.facts[AsciiSize] = 48;
    build.facts[CompactSize] = 72;
    build.facts[FirstLine] = 40;
    build.facts[Lines] = minor >= 10 ? kLineTable310 : kLineTable38;
}

/// Sets the offsets in `layout` for CPython 3.11 and 3.12.
void fill_311(RuntimeBuild& build, uint64_t runtime, unsigned minor)
{
    const bool is_312 = minor >= 12;
    dt_interpreter& layout = build.layout;
    layout.head = runtime + 40;
    layout.next_interpreter = 0;
    layout.first_thread = is_312 ? 72 : 16;
    layout.next_thread = 8;
    layout.thread_id = is_312 ? 136 : 152;
    layout.frame_of_thread = 56; // cframe
    layout.frame_of_run = is_312 ? 0 : 8;
    layout.flags = DT_BY_RUN | (is_312 ? 0U : DT_ENTRY_IS_SHOWN);
    layout.frame_size = 72;
    layout.code_of_frame = is_312 ? 0 : 32;
    layout.next_frame = is_312 ? 8 : 48;
    layout.instruction = 56;
    layout.entry = is_312 ? 70 : 68; // owner, is_entry
    layout.entry_value = is_312 ? 3 : 1;
    // _PyEval_EvalFrameDefault() stores the address of its cframe in the thread before it fills the cframe. Both stores
    // are within this number of bytes from its start.
    layout.beginning = is_312 ? 192 : 128;
    layout.code_size = layout.code_instructions = is_312 ? 192 : 184;
    layout.texts[0] = 128;
    layout.texts[1] = 112;
    layout.texts[2] = 136;
    build.facts[AsciiSize] = is_312 ? 40 : 48;
    build.facts[CompactSize] = is_312 ? 56 : 72;
    build.facts[FirstLine] = is_312 ? 68 : 72;
}

/// Indexes of fields in struct _Py_DebugOffsets of one version, in words after the cookie (internal/pycore_runtime.h of
/// 3.13, internal/pycore_debug_offsets.h of 3.14).
struct DescribedWords {
    std::size_t version = 0, free_threaded = 1, runtime_head = 4, interpreter_next = 7, interpreter_threads = 8;
    std::size_t thread_next, thread_frame, thread_id;
    std::size_t frame_previous, frame_code, frame_instruction, frame_owner;
    std::size_t code_file, code_name, code_lines, code_first_line, code_instructions;
    std::size_t object_type, bytes_length, bytes_data, unicode_state, unicode_length, unicode_ascii_size;
};
constexpr DescribedWords kWords313{.thread_next = 20,
                                   .thread_frame = 22,
                                   .thread_id = 23,
                                   .frame_previous = 28,
                                   .frame_code = 29,
                                   .frame_instruction = 30,
                                   .frame_owner = 32,
                                   .code_file = 34,
                                   .code_name = 36,
                                   .code_lines = 37,
                                   .code_first_line = 38,
                                   .code_instructions = 42,
                                   .object_type = 44,
                                   .bytes_length = 64,
                                   .bytes_data = 65,
                                   .unicode_state = 67,
                                   .unicode_length = 68,
                                   .unicode_ascii_size = 69};
constexpr DescribedWords kWords314{.thread_next = 23,
                                   .thread_frame = 25,
                                   .thread_id = 26,
                                   .frame_previous = 31,
                                   .frame_code = 32,
                                   .frame_instruction = 33,
                                   .frame_owner = 35,
                                   .code_file = 39,
                                   .code_name = 41,
                                   .code_lines = 42,
                                   .code_first_line = 43,
                                   .code_instructions = 47,
                                   .object_type = 50,
                                   .bytes_length = 74,
                                   .bytes_data = 75,
                                   .unicode_state = 77,
                                   .unicode_length = 78,
                                   .unicode_ascii_size = 79};
constexpr std::size_t kDescribedWords = 80;

/// Sets the offsets in the layout from _Py_DebugOffsets. Returns the reason why the table cannot be used, or an empty
/// text if it can.
std::string fill_described(RuntimeBuild& build, RuntimeImage& image, uint64_t runtime, const DescribedWords& at)
{
    constexpr char kCookie[] = "xdebugpy";
    constexpr std::size_t kCookieSize = sizeof kCookie - 1;
    // all offsets are smaller than the largest struct, which is that of the interpreter
    constexpr uint64_t kMaxOffset = 1 << 20;
    // The value 3 is named FRAME_OWNED_BY_CSTACK in 3.13 and FRAME_OWNED_BY_INTERPRETER in 3.14.
    constexpr uint32_t kOwnedByInterpreter = 3;
    const std::span<const uint8_t> data = image.bytes(runtime, kCookieSize + kDescribedWords * sizeof(uint64_t));
    if (data.empty() || std::memcmp(data.data(), kCookie, kCookieSize) != 0)
        return "it has no table of its offsets (_Py_DebugOffsets)";
    uint64_t words[kDescribedWords];
    std::memcpy(words, data.data() + kCookieSize, sizeof words);
    if (words[at.free_threaded] != 0)
        return "it was built without the global lock, and dtrace does not support such builds";
    if (std::any_of(std::begin(words) + 1, std::begin(words) + at.unicode_ascii_size + 1,
                    [](uint64_t each) { return each > kMaxOffset; }) ||
        words[at.object_type] != kType || words[at.bytes_length] != kBytesLength ||
        words[at.bytes_data] != kBytesData || words[at.unicode_state] != kUnicodeState ||
        words[at.unicode_length] != kUnicodeLength)
        return "its table of offsets (_Py_DebugOffsets) has unexpected values";
    const auto word = [&](std::size_t which) { return static_cast<uint32_t>(words[which]); };
    dt_interpreter& layout = build.layout;
    layout.head = runtime + words[at.runtime_head];
    layout.next_interpreter = word(at.interpreter_next);
    layout.first_thread = word(at.interpreter_threads);
    layout.next_thread = word(at.thread_next);
    layout.thread_id = word(at.thread_id);
    layout.frame_of_thread = word(at.thread_frame);
    layout.frame_size = word(at.frame_owner) / 8 * 8 + 8;
    layout.code_of_frame = word(at.frame_code);
    layout.next_frame = word(at.frame_previous);
    layout.instruction = word(at.frame_instruction);
    layout.entry = word(at.frame_owner);
    layout.entry_value = kOwnedByInterpreter;
    layout.pointer_mask = ~kReferenceTags;
    layout.code_size = layout.code_instructions = word(at.code_instructions);
    layout.texts[0] = word(at.code_name);
    layout.texts[1] = word(at.code_file);
    layout.texts[2] = word(at.code_lines);
    build.facts[AsciiSize] = words[at.unicode_ascii_size];
    build.facts[CompactSize] = words[at.unicode_ascii_size] + 16; // utf8_length and utf8
    build.facts[FirstLine] = words[at.code_first_line];
    return {};
}

/// Returns the minor version of CPython 3, or 0 if it is unknown. Versions before 3.11 have no symbol Py_Version. They
/// are distinguished by functions of the C API that first appeared in them.
unsigned minor_version(RuntimeImage& image)
{
    constexpr unsigned kMajor = 3;
    if (const auto symbol = image.symbol("Py_Version")) {
        const uint64_t version = image.number(symbol->address).value_or(0);
        return (version >> 24 & 0xff) == kMajor ? version >> 16 & 0xff : 0;
    }
    return image.symbol("PyModule_AddObjectRef")       ? 10
           : image.symbol("PyModule_AddType")          ? 9
           : image.symbol("PyConfig_InitPythonConfig") ? 8
                                                       : 0;
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    const auto runtime = image.symbol("_PyRuntime"), loop = image.symbol("_PyEval_EvalFrameDefault");
    const auto code = image.symbol("PyCode_Type"), unicode = image.symbol("PyUnicode_Type");
    const auto bytes = image.symbol("PyBytes_Type");
    if (!runtime || !loop || !code || !unicode || !bytes)
        return {};
    RuntimeBuild build;
    dt_interpreter& layout = build.layout;
    const std::vector<dt_address_range> parts = image.parts_of(*loop);
    std::copy_n(parts.begin(), std::min<std::size_t>(parts.size(), DT_INTERPRETER_RANGES), layout.loop);
    layout.code_type = code->address;
    layout.code_length = kCodeLength;
    layout.pointer_mask = ~uint64_t{0};
    layout.entry_mask = 0xff;
    for (std::size_t i = 0; i < DT_CODE_TEXTS; ++i) {
        layout.text_length[i] = i < 2 ? kUnicodeLength : kBytesLength;
        layout.text_data[i] = kBytesData;
    }
    build.facts[Unicode] = unicode->address;
    build.facts[Bytes] = bytes->address;
    switch (const unsigned minor = minor_version(image)) {
    case 0:
        build.problem = "dtrace supports versions 3.8 to 3.14, and this version is older";
        break;
    case 8:
    case 9:
    case 10:
        fill_38(build, runtime->address, minor);
        break;
    case 11:
    case 12:
        fill_311(build, runtime->address, minor);
        break;
    case 13:
        build.problem = fill_described(build, image, runtime->address, kWords313);
        break;
    case 14:
        build.problem = fill_described(build, image, runtime->address, kWords314);
        break;
    default:
        build.problem = "dtrace supports versions 3.8 to 3.14, and this is version 3." + std::to_string(minor);
    }
    for (std::size_t i = 0; i < 2; ++i)
        layout.text_data[i] = static_cast<uint32_t>(build.facts[AsciiSize]);
    return build;
}

/// Returns the text of a str object in UTF-8, or nothing if the bytes are not a str object. If only the beginning of
/// the text was captured, "..." is appended.
std::optional<std::string> text_of(const RuntimeBuild& build, uint64_t type, std::span<const uint8_t> object)
{
    constexpr uint64_t kMaxLength = 1 << 16;
    const auto state = load<uint32_t>(object, kUnicodeState);
    const uint32_t unit = state >> 2 & 7;
    const bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
    const auto length = load<uint64_t>(object, kUnicodeLength);
    if (load<uint64_t>(object, kType) != type || !is_compact || (unit != 1 && unit != 2 && unit != 4) ||
        (is_ascii && unit != 1) || length > kMaxLength)
        return {};
    std::size_t at = build.facts[is_ascii ? AsciiSize : CompactSize];
    std::string text;
    for (uint64_t i = 0; i < length; ++i, at += unit) {
        if (at + unit > object.size())
            return text.empty() ? std::optional<std::string>() : text + "...";
        const uint32_t character = unit == 1   ? load<uint8_t>(object, at)
                                   : unit == 2 ? load<uint16_t>(object, at)
                                               : load<uint32_t>(object, at);
        if (character == 0 || (is_ascii && character >= 0x80) || character > 0x10ffff)
            return {};
        append_utf8(text, character);
    }
    return text;
}

/// Decodes the location table of CPython 3.11 and later (Objects/locations.md).
class LocationTable {
public:
    LocationTable(std::span<const uint8_t> bytes, int64_t line) : bytes_(bytes), line_(line) {}

    /// Returns the source line of an instruction, or 0 if the instruction has no line. Returns nothing if the table is
    /// invalid or ends before the instruction.
    std::optional<uint32_t> line_of(int64_t instruction)
    {
        constexpr uint8_t kNoLine = 15;
        for (int64_t end = 0; at_ < bytes_.size();) {
            const uint8_t first = byte();
            if (!(first & 0x80))
                return {};
            const uint8_t code = first >> 3 & 15;
            end += ((first & 7) + 1) * 2;
            line_ += advance(code);
            if (is_cut_ || line_ < 0 || line_ > INT32_MAX)
                return {};
            if (instruction < end)
                return code == kNoLine ? 0 : static_cast<uint32_t>(line_);
        }
        return {};
    }

private:
    /// Reads an entry after its first byte. Returns the difference between its line and the line of the entry before.
    int64_t advance(uint8_t code)
    {
        int64_t by = 0;
        if (code == 15)
            return 0;
        if (code == 14) {
            by = signed_number();
            number();
            number();
            number();
        } else if (code == 13) {
            by = signed_number();
        } else if (code >= 10) {
            by = code - 10;
            byte();
            byte();
        } else {
            byte();
        }
        return by;
    }

    uint8_t byte()
    {
        is_cut_ |= at_ >= bytes_.size();
        return is_cut_ ? 0 : bytes_[at_++];
    }

    uint32_t number()
    {
        uint32_t value = 0;
        for (unsigned shift = 0;; shift += 6) {
            const uint8_t next = byte();
            if (shift < 32)
                value |= uint32_t{next & 0x3fU} << shift;
            if (!(next & 0x40))
                return value;
        }
    }

    int64_t signed_number()
    {
        const uint32_t value = number();
        return value & 1 ? -int64_t{value >> 1} : int64_t{value >> 1};
    }

    std::span<const uint8_t> bytes_;
    std::size_t at_ = 0;
    int64_t line_;
    bool is_cut_ = false;
};

/// Returns the source line of an instruction from co_lnotab of 3.8 and 3.9 (Objects/lnotab_notes.txt). An entry
/// consists of a number of instruction bytes, and of the change of the line after these bytes. The last line has no
/// entry, so it is returned only if `is_whole` is set: the table was captured completely.
std::optional<uint32_t> line_of_38(std::span<const uint8_t> table, int64_t line, int64_t instruction, bool is_whole)
{
    int64_t start = 0;
    for (std::size_t i = 0; i + 1 < table.size() && line >= 0 && line <= INT32_MAX; i += 2) {
        start += table[i];
        if (start > instruction)
            return static_cast<uint32_t>(line);
        line += static_cast<int8_t>(table[i + 1]);
    }
    return is_whole && line >= 0 && line <= INT32_MAX ? static_cast<uint32_t>(line) : std::optional<uint32_t>();
}

/// Returns the source line of an instruction from co_linetable of 3.10 (Objects/lnotab_notes.txt). An entry consists of
/// a number of instruction bytes, and of the difference between their line and the previous entry's line. The
/// difference -128 means that these instructions have no line.
std::optional<uint32_t> line_of_310(std::span<const uint8_t> table, int64_t line, int64_t instruction)
{
    constexpr int8_t kNoLine = -128;
    int64_t end = 0;
    for (std::size_t i = 0; i + 1 < table.size(); i += 2) {
        const auto change = static_cast<int8_t>(table[i + 1]);
        end += table[i];
        line += change == kNoLine ? 0 : change;
        if (line < 0 || line > INT32_MAX)
            return {};
        if (instruction < end)
            return change == kNoLine ? 0 : static_cast<uint32_t>(line);
    }
    return {};
}

std::optional<uint32_t> line_of(uint64_t form, std::span<const uint8_t> table, int64_t line, int64_t instruction,
                                bool is_whole)
{
    return form == kLineTable38    ? line_of_38(table, line, instruction, is_whole)
           : form == kLineTable310 ? line_of_310(table, line, instruction)
                                   : LocationTable(table, line).line_of(instruction);
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild& build, const dt_code& code, int32_t instruction)
{
    const std::span<const uint8_t> head(code.head);
    const uint64_t bias = load<uint64_t>(head, kType) - build.layout.code_type;
    const auto captured = [&code](std::span<const uint8_t> text, std::size_t which) {
        return text.first(std::min<std::size_t>(text.size(), code.got[which]));
    };
    const auto function = text_of(build, build.facts[Unicode] + bias, captured(code.name, 0));
    const auto file = text_of(build, build.facts[Unicode] + bias, captured(code.file, 1));
    const std::span<const uint8_t> table = captured(code.table, 2);
    const auto length = load<uint64_t>(table, kBytesLength);
    if (!function || !file || load<uint64_t>(table, kType) != build.facts[Bytes] + bias || table.size() < kBytesData)
        return {};
    const auto first_line = load<int32_t>(head, build.facts[FirstLine]);
    if (first_line < 0)
        return {};
    RuntimeFrame frame{*function, *file, static_cast<uint32_t>(first_line)};
    if (instruction < 0)
        return frame;
    const std::size_t bytes = std::min<uint64_t>(length, table.size() - kBytesData);
    const auto line =
        line_of(build.facts[Lines], table.subspan(kBytesData, bytes), first_line, instruction, bytes == length);
    if (!line && bytes == length)
        return {}; // the table was captured completely but does not contain the instruction, so the data are invalid
    frame.line = line.value_or(0);
    return frame;
}

} // namespace
} // namespace cpython

const Runtime kCPython{"python", "python", cpython::recognise, cpython::name_frame};

} // namespace dt
