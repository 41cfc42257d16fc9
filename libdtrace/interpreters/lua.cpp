// Finds and names frames of Lua 5.4 (5.4.2 and 5.4.4 to 5.4.9), whether Lua is a program or a library. The offsets are
// tables in this file, taken from the headers lstate.h and lobject.h. The Lua file contains its version.
//
// No variable points to the lua_State of a thread. But native functions pass its address as an argument, so it is found
// on the stack. Each coroutine has a lua_State. A call of luaV_execute() runs a Lua function and the functions that it
// calls; the outermost one has the bit CIST_FRESH. If luaV_execute() has no symbol, it is recognized by its labels, one
// for each operation.
//
// Lua functions have no names. lua_getinfo() derives a name from the caller's code, but this code is not recorded with
// a frame. So a function is named by its source location, which lua_getinfo() also uses if there is no caller.
#include <algorithm>
#include <cstring>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace lua {
namespace {

constexpr std::size_t kOperations = 83;

constexpr uint32_t kType = 8;                                              // offset of the type in a Lua object
constexpr uint32_t kStateType = 8, kFunctionType = 6, kPrototypeType = 10; // types
constexpr uint32_t kFunctionTag = 0x40 | kFunctionType;                    // tag of a TValue
constexpr uint32_t kShortText = 4, kLongText = 20;                         // TString
constexpr uint32_t kShortLength = 11, kLongLength = 16, kChars = 24;       // in a TString
constexpr uint32_t kStatus = 10, kGlobal = 24, kCurrentFrame = 32;         // lua_State
constexpr uint32_t kFrameSize = 64, kFunction = 0, kPrevious = 16, kNext = 32, kBits = 62; // CallInfo
constexpr uint32_t kIsNative = 2, kIsFresh = 4;                                            // CallInfo.callstatus
constexpr uint32_t kPrototype = 24;                                                        // LClosure
constexpr uint32_t kPrototypeSize = 128, kCodeCount = 24, kLinesCount = 28, kAbsoluteCount = 40, kFirstLine = 44,
                   kLastLine = 48, kCode = 64, kLines = 88, kAbsolute = 96, kSource = 112; // Proto
constexpr uint32_t kInstructionSize = 4;

/// Sizes and offsets in lua_State for the versions 5.4.`first` to 5.4.`last`.
struct Version {
    unsigned first, last;
    uint32_t size, jump, base_frame;
};
constexpr Version kVersions[] = {{2, 2, 192, 80, 88}, {4, 9, 200, 88, 96}};

void fill(dt_interpreter& layout, const Version& version)
{
    layout.flags = DT_STATE_ON_STACK | DT_ENTRY_IS_SHOWN | DT_INSTRUCTIONS_APART;
    layout.state = {.type_at = kType,
                    .type = kStateType,
                    .shared = kGlobal,
                    .size = version.size,
                    .jump = version.jump,
                    .jump_next = 0,
                    .idle_frame = version.base_frame,
                    .idle_byte = kStatus};
    layout.frame_of_thread = kCurrentFrame;
    layout.frame_size = kFrameSize;
    layout.code_of_frame = kFunction;
    layout.next_frame = kPrevious;
    layout.instruction = kNext;
    layout.instruction_size = kInstructionSize;
    layout.entry = kBits;
    layout.entry_mask = layout.entry_value = kIsFresh;
    layout.left_out_mask = kIsNative;
    layout.pointer_mask = ~uint64_t{0};
    layout.links[0] = {kType, kFunctionTag, 0};
    layout.links[1] = {kType, kFunctionType, kPrototype};
    layout.link_count = 2;
    layout.kind_at = kType;
    layout.kinds = 1U << kPrototypeType;
    layout.code_size = kPrototypeSize;
    layout.code_instructions = kCode;
    layout.code_length = kCodeCount;
    layout.code_lines = kAbsoluteCount; // the word with the number of absolute lines also contains the first line
    layout.texts[0] = kAbsolute;
    layout.texts[1] = kSource;
    layout.texts[2] = kLines;
    layout.text_form[0] = layout.text_form[2] = DT_TEXT_IS_ARRAY;
    layout.text_form[1] = DT_TEXT_IS_TERMINATED;
    layout.text_data[1] = kChars;
    layout.text_length[0] = kAbsoluteCount;
    layout.text_length[2] = kLinesCount;
}

/// Returns Lua's version, such as "5.4.6", or an empty text if the file does not contain Lua.
std::string version_of(RuntimeImage& image)
{
    constexpr std::string_view kBefore = "$LuaVersion: Lua ";
    constexpr uint64_t kMaxText = 512;
    const auto symbol = image.symbol("lua_ident");
    const auto data =
        symbol && symbol->size <= kMaxText ? image.bytes(symbol->address, symbol->size) : std::span<const uint8_t>();
    const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
    return text.starts_with(kBefore)
               ? std::string(text.substr(kBefore.size(), text.find(' ', kBefore.size()) - kBefore.size()))
               : std::string();
}

/// Returns the sizes and offsets of a version such as "5.4.6", or null if the version is not supported.
const Version* find_version(std::string_view version)
{
    constexpr std::string_view kSeries = "5.4.";
    if (!version.starts_with(kSeries) || version.size() != kSeries.size() + 1)
        return nullptr;
    const auto last = static_cast<unsigned>(version.back() - '0');
    const auto* const known = std::find_if(std::begin(kVersions), std::end(kVersions), [last](const Version& each) {
        return each.first <= last && last <= each.last;
    });
    return known != std::end(kVersions) ? known : nullptr;
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    const std::string version = version_of(image);
    if (version.empty())
        return {};
    const auto symbol = image.symbol("luaV_execute");
    const auto loop = symbol ? symbol : image.function_with_labels(kOperations);
    RuntimeBuild build;
    if (loop) {
        const std::vector<dt_address_range> parts = image.parts_of(*loop);
        std::copy_n(parts.begin(), std::min<std::size_t>(parts.size(), DT_INTERPRETER_RANGES), build.layout.loop);
    }
    if (const Version* const known = find_version(version); !known)
        build.problem = "dtrace supports versions 5.4.2 and 5.4.4 to 5.4.9, and this is version " + version;
    else if (!loop)
        build.problem = "dtrace cannot find its interpreter loop (luaV_execute)";
    else
        fill(build.layout, *known);
    return build;
}

/// Returns the text of a TString, or nothing if the bytes are not a TString. If only the beginning of the text was
/// captured, "..." is appended.
std::optional<std::string> text_of(std::span<const uint8_t> object)
{
    const auto type = load<uint8_t>(object, kType);
    const uint64_t length =
        type == kShortText ? load<uint8_t>(object, kShortLength) : load<uint64_t>(object, kLongLength);
    if ((type != kShortText && type != kLongText) || object.size() <= kChars)
        return {};
    const std::span<const uint8_t> chars = object.subspan(kChars);
    if (length < chars.size())
        return chars[length] == 0 ? std::optional<std::string>(std::in_place, chars.begin(),
                                                               chars.begin() + static_cast<std::ptrdiff_t>(length))
                                  : std::nullopt;
    return std::string(chars.begin(), chars.end()) + "...";
}

/// Returns the name that Lua prints for a source: a file name, a description, or the first line of the text that was
/// loaded.
std::string name_of_source(const std::string& source)
{
    // maximum length of a text in a source name: LUA_IDSIZE minus the characters around the text
    constexpr std::size_t kRoom = 60 - 15;
    if (source.empty())
        return "[string \"\"]";
    if (source[0] == '@' || source[0] == '=')
        return source.substr(1);
    const std::size_t end = source.find('\n');
    if (end == std::string::npos && source.size() < kRoom)
        return "[string \"" + source + "\"]";
    return "[string \"" + source.substr(0, std::min(end, kRoom)) + "...\"]";
}

/// Returns the source line of an instruction, or 0 if it is not known. Returns nothing if the bytes are not the tables
/// of a Lua function.
std::optional<uint32_t> line_of(const dt_code& code, int32_t instruction)
{
    constexpr int32_t kMaxInstructions = 1 << 26;
    constexpr std::size_t kEntry = 8; // size of an AbsLineInfo, which contains an instruction and its line
    const std::span<const uint8_t> head(code.head),
        lines(code.table, std::min<std::size_t>(code.got[2], sizeof code.table)),
        absolute(code.name, std::min<std::size_t>(code.got[0], sizeof code.name));
    const auto count = load<int32_t>(head, kCodeCount), known = load<int32_t>(head, kLinesCount);
    const auto entries = load<int32_t>(head, kAbsoluteCount);
    if (count <= 0 || count > kMaxInstructions || (known != 0 && known != count) || entries < 0 || entries > count)
        return {};
    if (known == 0 || instruction < 0)
        return 0;
    const int32_t wanted = instruction / static_cast<int32_t>(kInstructionSize);
    if (wanted >= count)
        return {};
    int64_t line = load<int32_t>(head, kFirstLine);
    int32_t from = -1; // index of the instruction to which `line` belongs
    for (int32_t i = 0; i < entries; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * kEntry;
        if (at + kEntry > absolute.size())
            return 0;
        const auto next = load<int32_t>(absolute, at);
        if (next <= from || next >= count)
            return {};
        if (next > wanted)
            break;
        from = next;
        line = load<int32_t>(absolute, at + kEntry / 2);
    }
    if (static_cast<std::size_t>(wanted) >= lines.size())
        return 0;
    while (from < wanted)
        line += static_cast<int8_t>(lines[static_cast<std::size_t>(++from)]);
    return line > 0 && line <= INT32_MAX ? std::optional<uint32_t>(static_cast<uint32_t>(line)) : std::nullopt;
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild&, const dt_code& code, int32_t instruction)
{
    const std::span<const uint8_t> head(code.head);
    const auto first = load<int32_t>(head, kFirstLine), last = load<int32_t>(head, kLastLine);
    const auto source = load<uint64_t>(head, kSource) != 0
                            ? text_of({code.file, std::min<std::size_t>(code.got[1], sizeof code.file)})
                            : std::string("=?");
    const auto line = line_of(code, instruction);
    const bool is_chunk = first == 0;
    if (!source || !line || first < 0 ||
        (!is_chunk && (last < first ||
                       (*line != 0 && (*line < static_cast<uint32_t>(first) || *line > static_cast<uint32_t>(last))))))
        return {};
    const std::string file = name_of_source(*source);
    return RuntimeFrame{is_chunk ? "main chunk" : "function <" + file + ":" + std::to_string(first) + ">", file, *line};
}

} // namespace
} // namespace lua

const Runtime kLua{"lua", "lua", lua::recognise, lua::name_frame};

} // namespace dt
