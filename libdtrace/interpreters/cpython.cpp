// CPython 3.11 and 3.13. From 3.13 on the interpreter describes itself (_Py_DebugOffsets); the offsets of 3.11 are a
// table here, from its headers internal/pycore_frame.h, pycore_runtime.h, pycore_interp.h and cpython/code.h.
//
// A call of _PyEval_EvalFrameDefault() runs a frame and the frames that it calls, down to an entry frame. 3.11 marks
// the entry frame; 3.13 has an additional frame there, which belongs to the C stack.
#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace cpython {
namespace {

enum Fact : std::size_t { Unicode, Bytes, AsciiSize, CompactSize, FirstLine };

constexpr uint32_t kUnicodeLength = 16, kUnicodeState = 32; // struct PyASCIIObject
constexpr uint32_t kBytesLength = 16, kBytesData = 32;      // struct PyBytesObject
constexpr uint32_t kCodeLength = 16;                        // struct PyVarObject
constexpr uint32_t kType = 8;                               // struct PyObject

void fill_311(RuntimeBuild& build, uint64_t runtime)
{
    dt_interpreter& layout = build.layout;
    layout.head = runtime + 40;
    layout.next_interpreter = 0;
    layout.first_thread = 16;
    layout.next_thread = 8;
    layout.thread_id = 152;
    layout.frame_of_thread = 56; // cframe
    layout.frame_of_run = 8;
    layout.flags = DT_BY_RUN | DT_ENTRY_IS_SHOWN;
    layout.frame_size = 72;
    layout.code_of_frame = 32;
    layout.next_frame = 48;
    layout.instruction = 56;
    layout.entry = 68;
    layout.entry_value = 1;
    // The function stores the address of its cframe in the thread before it fills the cframe. Both stores are among its
    // first instructions.
    layout.beginning = 128;
    layout.code_size = layout.code_instructions = 184;
    layout.texts[0] = 128;
    layout.texts[1] = 112;
    layout.texts[2] = 136;
    build.facts[AsciiSize] = 48;
    build.facts[CompactSize] = 72;
    build.facts[FirstLine] = 72;
}

/// Offsets of struct _Py_DebugOffsets of 3.13, in words after the cookie (internal/pycore_runtime.h).
enum Word313 : std::size_t {
    Version,
    FreeThreaded,
    RuntimeHead = 4,
    InterpreterNext = 7,
    InterpreterThreads,
    ThreadNext = 20,
    ThreadFrame = 22,
    ThreadId,
    FrameSize = 27,
    FramePrevious,
    FrameCode,
    FrameInstruction,
    FrameOwner = 32,
    CodeSize,
    CodeFile,
    CodeName,
    CodeQualifiedName,
    CodeLines,
    CodeFirstLine,
    CodeInstructions = 42,
    ObjectType = 44,
    BytesLength = 64,
    BytesData,
    UnicodeState = 67,
    UnicodeLength,
    UnicodeAsciiSize,
    WordCount,
};

/// Returns why the description cannot be used; empty if it can.
std::string fill_313(RuntimeBuild& build, RuntimeImage& image, uint64_t runtime)
{
    constexpr char kCookie[] = "xdebugpy";
    constexpr std::size_t kCookieSize = sizeof kCookie - 1;
    constexpr uint64_t kMostOffset = 1 << 20; // the interpreter's structure is the largest
    constexpr uint32_t kOwnedByCStack = 3;
    const std::span<const uint8_t> data = image.bytes(runtime, kCookieSize + WordCount * sizeof(uint64_t));
    if (data.empty() || std::memcmp(data.data(), kCookie, kCookieSize) != 0)
        return "it has no table of its offsets (_Py_DebugOffsets)";
    uint64_t words[WordCount];
    std::memcpy(words, data.data() + kCookieSize, sizeof words);
    if (words[FreeThreaded] != 0)
        return "it is built without the global lock";
    if (std::any_of(std::begin(words) + 1, std::end(words), [](uint64_t each) { return each > kMostOffset; }) ||
        words[ObjectType] != kType || words[BytesLength] != kBytesLength || words[BytesData] != kBytesData ||
        words[UnicodeState] != kUnicodeState || words[UnicodeLength] != kUnicodeLength)
        return "its table of offsets (_Py_DebugOffsets) is unusual";
    const auto word = [&](Word313 which) { return static_cast<uint32_t>(words[which]); };
    dt_interpreter& layout = build.layout;
    layout.head = runtime + words[RuntimeHead];
    layout.next_interpreter = word(InterpreterNext);
    layout.first_thread = word(InterpreterThreads);
    layout.next_thread = word(ThreadNext);
    layout.thread_id = word(ThreadId);
    layout.frame_of_thread = word(ThreadFrame);
    layout.frame_size = word(FrameOwner) / 8 * 8 + 8;
    layout.code_of_frame = word(FrameCode);
    layout.next_frame = word(FramePrevious);
    layout.instruction = word(FrameInstruction);
    layout.entry = word(FrameOwner);
    layout.entry_value = kOwnedByCStack;
    layout.code_size = layout.code_instructions = word(CodeInstructions);
    layout.texts[0] = word(CodeQualifiedName);
    layout.texts[1] = word(CodeFile);
    layout.texts[2] = word(CodeLines);
    build.facts[AsciiSize] = words[UnicodeAsciiSize];
    build.facts[CompactSize] = words[UnicodeAsciiSize] + 16; // utf8_length and utf8
    build.facts[FirstLine] = words[CodeFirstLine];
    return {};
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    const auto runtime = image.symbol("_PyRuntime"), loop = image.symbol("_PyEval_EvalFrameDefault");
    const auto code = image.symbol("PyCode_Type"), unicode = image.symbol("PyUnicode_Type");
    const auto bytes = image.symbol("PyBytes_Type"), version_at = image.symbol("Py_Version");
    if (!runtime || !loop || !code || !unicode || !bytes)
        return {};
    RuntimeBuild build;
    dt_interpreter& layout = build.layout;
    const std::vector<dt_address_range> parts = image.parts_of(*loop);
    std::copy_n(parts.begin(), std::min<std::size_t>(parts.size(), DT_INTERPRETER_RANGES), layout.loop);
    layout.code_type = code->address;
    layout.code_length = kCodeLength;
    layout.pointer_mask = ~uint64_t{0};
    for (std::size_t i = 0; i < DT_CODE_TEXTS; ++i) {
        layout.text_length[i] = i < 2 ? kUnicodeLength : kBytesLength;
        layout.text_data[i] = kBytesData;
    }
    build.facts[Unicode] = unicode->address;
    build.facts[Bytes] = bytes->address;
    const uint64_t version = version_at ? image.number(version_at->address).value_or(0) : 0;
    const auto major = static_cast<uint8_t>(version >> 24), minor = static_cast<uint8_t>(version >> 16);
    if (major == 3 && minor == 11)
        fill_311(build, runtime->address);
    else if (major == 3 && minor == 13)
        build.problem = fill_313(build, image, runtime->address);
    else if (version == 0)
        build.problem = "it is older than 3.11";
    else
        build.problem = "its frames are known in versions 3.11 and 3.13, and it is version " + std::to_string(major) +
                        "." + std::to_string(minor);
    for (std::size_t i = 0; i < 2; ++i)
        layout.text_data[i] = static_cast<uint32_t>(build.facts[AsciiSize]);
    return build;
}

template <typename T> T load(std::span<const uint8_t> data, std::size_t at)
{
    T value{};
    if (at <= data.size() && sizeof value <= data.size() - at)
        std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

/// Returns the text of a str object in UTF-8, or nothing if the bytes are not such an object. A text that was not
/// captured to its end gets "..." there.
std::optional<std::string> text_of(const RuntimeBuild& build, uint64_t type, std::span<const uint8_t> object)
{
    constexpr uint64_t kMostLength = 1 << 16;
    const auto state = load<uint32_t>(object, kUnicodeState);
    const uint32_t unit = state >> 2 & 7;
    const bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
    const auto length = load<uint64_t>(object, kUnicodeLength);
    if (load<uint64_t>(object, kType) != type || !is_compact || (unit != 1 && unit != 2 && unit != 4) ||
        (is_ascii && unit != 1) || length > kMostLength)
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

/// Reads a location table (Objects/locations.md of CPython 3.11).
class LineTable {
public:
    LineTable(std::span<const uint8_t> bytes, int64_t line) : bytes_(bytes), line_(line) {}

    /// Returns the line of the instruction; 0 if it has none, nothing if the table ends before it or is invalid.
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
    /// Reads the rest of an entry. Returns by how much the line changes.
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
    const auto line = LineTable(table.subspan(kBytesData, bytes), first_line).line_of(instruction);
    if (!line && bytes == length)
        return {}; // the whole table was captured, and the instruction is not in it
    frame.line = line.value_or(0);
    return frame;
}

} // namespace
} // namespace cpython

const Runtime kCPython{"python", "python", cpython::recognise, cpython::name_frame};

} // namespace dt
