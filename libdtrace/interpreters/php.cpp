// Finds and names frames of PHP 7.4, 8.2 and 8.4 without threads (NTS). The offsets are a table in this file, taken
// from the headers Zend/zend_compile.h and Zend/zend_globals.h. The PHP file contains its API number
// (ZEND_MODULE_API_NO), which changes with every version.
//
// A call of execute_ex() runs a PHP frame and the frames that it calls; the outermost one has the bit ZEND_CALL_TOP.
// PHP's list of frames also contains internal functions, which have no source file and are skipped.
#include <algorithm>
#include <cstring>

#include "libdtrace/interpreters/runtime.hpp"

namespace dt {
namespace php {
namespace {

// values of the first byte of a zend_function, which is its type
constexpr uint32_t kUserFunction = 2, kInternalFunction = 1, kEvaluated = 4;
constexpr uint32_t kGarbageInfo = 4, kTextLength = 16, kTextData = 24, kText = 6;   // zend_string
constexpr uint32_t kFrameLine = 0, kFunction = 24, kInfo = 40, kPreviousFrame = 48; // zend_execute_data
constexpr uint32_t kFunctionName = 8, kClass = 16;                                  // zend_op_array
constexpr uint32_t kClassName = 8;                                                  // zend_class_entry
constexpr uint32_t kOperationSize = 32, kOperationLine = 24;                        // zend_op
constexpr uint32_t kCurrentFrame = 488;                                             // zend_executor_globals

/// Offsets in a zend_op_array.
struct Version {
    std::string_view interface; ///< ZEND_MODULE_API_NO
    uint32_t count, operations, file, first_line, size;
};
constexpr Version kVersions[] = {
    {"20190902", 60, 64, 136, 144, 224},  // 7.4
    {"20220829", 80, 88, 152, 160, 248},  // 8.2
    {"20240924", 96, 104, 168, 176, 256}, // 8.4
};

enum Fact : std::size_t { FirstLine };

/// Returns whether execute_ex() keeps the address of the current instruction in a register. If so, the beginning of the
/// function loads this register from the function's argument.
bool keeps_instruction(std::span<const uint8_t> beginning)
{
    constexpr uint8_t kLoadR15[] = {0x4c, 0x8b, 0x3f}, kLoadX28[] = {0x1c, 0x00, 0x40, 0xf9};
    const auto has = [&](std::span<const uint8_t> load) {
        return std::search(beginning.begin(), beginning.end(), load.begin(), load.end()) != beginning.end();
    };
    return has(kLoadR15) || has(kLoadX28);
}

void fill(RuntimeBuild& build, uint64_t globals, const Version& version)
{
    dt_interpreter& layout = build.layout;
    layout.flags = DT_FRAME_IS_GLOBAL | DT_ENTRY_IS_SHOWN | DT_INSTRUCTION_HAS_LINE;
    layout.head = globals + kCurrentFrame;
    layout.frame_size = kPreviousFrame + 8;
    layout.code_of_frame = kFunction;
    layout.next_frame = kPreviousFrame;
    layout.instruction = kFrameLine;
    layout.instruction_size = kOperationSize;
    layout.instruction_line = kOperationLine;
    layout.entry = kInfo + 2; // ZEND_CALL_TOP is bit 17
    layout.entry_mask = layout.entry_value = 2;
    layout.pointer_mask = ~uint64_t{0};
    layout.kinds = 1U << kUserFunction | 1U << kEvaluated;
    layout.left_out_kinds = 1U << kInternalFunction;
    layout.code_size = version.size;
    layout.code_instructions = version.operations;
    layout.code_length = version.count;
    layout.code_lines = version.first_line;
    layout.texts[0] = kFunctionName;
    layout.texts[1] = version.file;
    layout.texts[2] = kClass;
    layout.text_pointer[2] = kClassName;
    for (std::size_t i = 0; i < DT_CODE_TEXTS; ++i) {
        layout.text_length[i] = kTextLength;
        layout.text_data[i] = kTextData;
    }
    build.facts[FirstLine] = version.first_line;
}

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    constexpr std::string_view kMark = "\0API", kWithoutThreads = ",NTS";
    constexpr std::size_t kDigits = 8, kBeginning = 128;
    const auto loop = image.symbol("execute_ex"), globals = image.symbol("executor_globals");
    const bool has_threads = image.symbol("executor_globals_offset").has_value();
    if (!loop || (!globals && !has_threads) || !image.symbol("zend_execute"))
        return {};
    RuntimeBuild build;
    const std::vector<dt_address_range> parts = image.parts_of(*loop);
    std::copy_n(parts.begin(), std::min<std::size_t>(parts.size(), DT_INTERPRETER_RANGES), build.layout.loop);
    const std::string interface = image.text_with(std::string_view(kMark.data(), 4));
    const Version* const known = std::find_if(std::begin(kVersions), std::end(kVersions), [&](const Version& each) {
        return interface.starts_with(each.interface);
    });
    if (has_threads)
        build.problem = "it was built for threads (ZTS), and dtrace supports builds without threads (NTS) only";
    else if (known == std::end(kVersions))
        build.problem = "dtrace supports versions 7.4, 8.2 and 8.4, and the API number of this build is " +
                        (interface.empty() ? "unknown" : interface.substr(0, kDigits));
    else if (interface.substr(kDigits) != kWithoutThreads)
        build.problem = "dtrace does not support its build options (" + interface.substr(kDigits) + ")";
    else
        fill(build, globals->address, *known);
    if (build.problem.empty() &&
        keeps_instruction(image.bytes(loop->address, std::min<uint64_t>(loop->size, kBeginning))))
        build.layout.flags |= DT_REGISTER_HAS_INSTRUCTION;
    return build;
}

/// Returns the text of a zend_string, or nothing if the bytes are not a zend_string. If only the beginning of the text
/// was captured, "..." is appended.
std::optional<std::string> text_of(std::span<const uint8_t> object)
{
    constexpr uint64_t kMaxLength = 1 << 16;
    constexpr uint32_t kTypeBits = 15;
    const auto length = load<uint64_t>(object, kTextLength);
    if ((load<uint32_t>(object, kGarbageInfo) & kTypeBits) != kText || length == 0 || length > kMaxLength ||
        object.size() <= kTextData)
        return {};
    const std::span<const uint8_t> data = object.subspan(kTextData);
    const bool is_whole = length < data.size();
    if (is_whole && data[length] != 0)
        return {};
    std::string text(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(std::min<uint64_t>(length, data.size())));
    return is_whole ? text : text + "...";
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild& build, const dt_code& code, int32_t line)
{
    const std::span<const uint8_t> head(code.head);
    const auto captured = [&code](std::span<const uint8_t> text, std::size_t which) {
        return text_of(text.first(std::min<std::size_t>(text.size(), code.got[which])));
    };
    const bool has_function = load<uint64_t>(head, kFunctionName) != 0, has_class = load<uint64_t>(head, kClass) != 0;
    const auto function = has_function ? captured(code.name, 0) : std::optional<std::string>("{main}");
    const auto file = captured(code.file, 1), owner = has_class ? captured(code.table, 2) : std::string();
    const auto first = load<uint32_t>(head, build.facts[FirstLine]);
    const auto last = load<uint32_t>(head, build.facts[FirstLine] + sizeof first);
    const bool has_zero =
        (function && function->find('\0') != std::string::npos) || (file && file->find('\0') != std::string::npos);
    if (!function || !file || !owner || has_zero || line < 0 ||
        (line != 0 && has_function && (static_cast<uint32_t>(line) < first || static_cast<uint32_t>(line) > last)))
        return {};
    // The name of an anonymous class is followed by a zero byte and its source location, which are removed here.
    const std::string prefix = owner->empty() ? "" : owner->substr(0, owner->find('\0')) + "::";
    return RuntimeFrame{prefix + *function, *file, static_cast<uint32_t>(line)};
}

} // namespace
} // namespace php

const Runtime kPhp{"php", "php", php::recognise, php::name_frame};

} // namespace dt
