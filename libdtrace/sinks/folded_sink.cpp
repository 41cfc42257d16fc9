// Sinks of -x format=folded and format=flamegraph. Folded output has one line for each stack, with the outermost frame
// first. Addresses and offsets are omitted, so that equal stacks become equal lines. A flame graph is an SVG document.
#include "libdtrace/sinks/folded_sink.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/format/wall_clock.hpp"
#include "libdtrace/output/output_target.hpp"
#include "libdtrace/sinks/stack_sink.hpp"
#include "libdtrace/symbols/jit_symbols.hpp"

// Sinks of -x format=folded and format=flamegraph. Both output only aggregations whose keys contain stacks
// (dtrace-output(7), FOR OTHER PROGRAMS).

namespace dt::output {

/// Folded lines of an aggregation, "frame;frame;…;frame VALUE", sorted, with the outermost frame first. The map's key
/// is the line without its value. Entries with equal lines are added up.
using FoldedStacks = std::map<std::string, int64_t>;

/// Adds to `into` those entries of an aggregation that can be drawn as stacks. Frames are function names without module
/// and offset. Key parts that are not stacks become the outermost frames. If `marked` is set, names of kernel frames
/// and JIT frames begin with a character of their own (kKernelFrame, kJitFrame).
void fold(const Aggregation& table, const format::Environment& env, bool marked, FoldedStacks& into);

/// Base of both sinks: converts aggregations to folded lines.
class FoldingSink : public StackSink {
protected:
    FoldingSink(Output& output, const format::Environment& env, bool marked) : StackSink(output, env), marked_(marked)
    {
    }
    virtual void show(const Aggregation& table, FoldedStacks stacks) = 0;

private:
    void show(const Aggregation& table) final;

    bool marked_;
};

/// Writes the entries of aggregations with stacks as folded lines: at each printa(), and at the end of the run for
/// aggregations that were not printed. A snapshot begins with its time, in a comment that flame graph tools ignore.
class FoldedSink final : public FoldingSink {
public:
    FoldedSink(Output& output, const format::Environment& env) : FoldingSink(output, env, false) {}
    void begin_snapshot(uint64_t time) override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    WallClock clock_;
};

/// Writes one SVG document at the end of the run. If an aggregation was printed several times, the document contains
/// the last printed version that was not empty.
class FlamegraphSink final : public FoldingSink {
public:
    FlamegraphSink(Output& output, const format::Environment& env) : FoldingSink(output, env, true) {}
    Result<void> open() override;
    void finish() override;

private:
    void show(const Aggregation& table, FoldedStacks stacks) override;

    // last printed version, not empty, of each aggregation; the key is the aggregation's id
    std::map<uint32_t, FoldedStacks> shown_;
    std::string title_; ///< title of the graph if the option flametitle is not set
    bool counts_ = false;
};

namespace {

// Returns a frame's name without its module or its address: "write+0x10" for "libc.so.6`write+0x10", and "[libc.so.6]"
// for "libc.so.6`0x7f0012345678". Addresses would make equal stacks differ.
std::string frame_name(std::string_view text)
{
    const std::size_t quote = text.find('`');
    const std::string_view name = quote == std::string_view::npos ? text : text.substr(quote + 1);
    if (!name.starts_with("0x"))
        return std::string(name);
    return quote == std::string_view::npos ? "[unknown]" : "[" + std::string(text.substr(0, quote)) + "]";
}

// Appends a frame to a folded line. Replaces semicolons and newlines in the frame's name, because they separate frames
// and lines.
void append_part(std::string& line, std::string_view part)
{
    if (!line.empty())
        line += ';';
    for (const char c : part)
        line += c == ';' ? ':' : c == '\n' ? ' ' : c;
}

// Appends the frames of a recorded stack, outermost frame first.
void append_frames(std::string& line, const Datum& datum, const uint8_t* key, const format::Environment& env,
                   bool marked)
{
    const bool user = is_user_stack(datum, key);
    std::vector<std::string> frames;
    format::for_each_frame(env, datum, key, Datum::Address::Symbol, [&](std::string_view frame) {
        frames.push_back(frame_name(format::shown(env, frame)));
        if (marked && !user)
            frames.back().insert(0, 1, format::kKernelFrame);
        else if (marked && frame.starts_with(kJitModule))
            frames.back().insert(0, 1, format::kJitFrame);
    });
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        append_part(line, *frame);
}

std::string folded_line(const Aggregation& table, uint32_t entry, const format::Environment& env, bool marked)
{
    std::string line;
    if (entry == Aggregation::kExpired)
        return std::string(format::kGoneKey);
    const uint8_t* key = table.key(entry);
    const bool has_chain = table.schema().function->kind == AggKind::Blame;
    for (const Datum& datum : table.schema().keys) {
        if (is_stack(datum))
            continue;
        format::Text text;
        format::append_bare_key(text, env, datum, key);
        // The text of a blame() chain is appended unchanged, because it already separates its frames by semicolons.
        if (has_chain && &datum == &table.schema().keys.back())
            line.append(line.empty() ? "" : ";").append(text.view());
        else
            append_part(line, format::is_address(datum) ? frame_name(text.view()) : std::string(text.view()));
    }
    // user stacks are appended before kernel stacks, regardless of the order of the keys
    for (const bool user : {true, false})
        for (const Datum& datum : table.schema().keys)
            if (is_stack(datum) && is_user_stack(datum, key) == user)
                append_frames(line, datum, key, env, marked);
    return line;
}

/// Adds an entry of breakdown(): each part of the time becomes the innermost frame of one stack.
void fold_parts(const Aggregation& table, Aggregation::Words parts, const std::string& line, FoldedStacks& into)
{
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == 0)
            continue;
        std::string of_part = line;
        append_part(of_part, table.shape()->label(i));
        into[of_part] += format::divided(parts[i], table.divisor);
    }
}

} // namespace

void fold(const Aggregation& table, const format::Environment& env, bool marked, FoldedStacks& into)
{
    std::vector<uint32_t> entries(table.size());
    std::iota(entries.begin(), entries.end(), 0);
    if (table.has_expired())
        entries.push_back(Aggregation::kExpired);
    for (const uint32_t entry : entries) {
        std::string line = folded_line(table, entry, env, marked);
        if (table.shape()) {
            fold_parts(table, table.words(entry), line, into);
            continue;
        }
        const int64_t value = table.number(table.words(entry));
        if (line.empty())
            line = "[no stack]";
        const auto [known, is_new] = into.try_emplace(std::move(line), value);
        if (is_new)
            continue;
        if (table.schema().function->kind == AggKind::Max)
            known->second = std::max(known->second, value);
        else
            known->second += value;
    }
}

void FoldingSink::show(const Aggregation& table)
{
    FoldedStacks stacks;
    fold(table, env_, marked_, stacks);
    show(table, std::move(stacks));
}

void FoldedSink::begin_snapshot(uint64_t time)
{
    output_.write("# ");
    clock_.append_bare(output_.text(), time);
    output_.text().append('\n');
}

void FoldedSink::show(const Aggregation&, FoldedStacks stacks)
{
    for (const auto& [line, value] : stacks) {
        output_.write(line);
        output_.text().append(' ');
        format::append_signed(output_.text(), value);
        output_.text().append('\n');
        output_.drain();
    }
}

Result<void> FlamegraphSink::open()
{
    return begin_file(output_, "flamegraph");
}

void FlamegraphSink::show(const Aggregation& table, FoldedStacks stacks)
{
    if (stacks.empty())
        return;
    if (title_.empty())
        title_ = "@" + (table.schema().name == "_" ? std::string() : table.schema().name);
    counts_ |= table.schema().function->kind == AggKind::Count;
    shown_[table.schema().id] = std::move(stacks);
}

void FlamegraphSink::finish()
{
    format::FlameTree tree;
    for (const auto& [id, stacks] : shown_)
        for (const auto& [line, value] : stacks)
            tree.add(line, value);
    const PrintOptions& options = env_.options;
    format::FlameStyle style;
    style.title = !options.flametitle.empty() ? options.flametitle : shown_.empty() ? "no stacks" : title_;
    style.subtitle = options.flamesubtitle;
    style.unit = !options.flameunit.empty() ? options.flameunit : counts_ ? "samples" : "in all";
    style.icicle = options.flameicicle;
    format::append_flamegraph(output_.text(), tree, style);
}

std::unique_ptr<Sink> make_folded_sink(const SinkOptions& with)
{
    return std::make_unique<FoldedSink>(with.output, with.env);
}

std::unique_ptr<Sink> make_flamegraph_sink(const SinkOptions& with)
{
    return std::make_unique<FlamegraphSink>(with.output, with.env);
}

} // namespace dt::output

// Draws a flame graph and defines the script for zooming and searching in it.

namespace dt::format {

namespace {

constexpr double kWidth = 1200, kMargin = 10;
constexpr double kRow = 17, kTitleHeight = 58, kFootHeight = 30;
constexpr double kLetter = 7.2; // average width of a character in the 12px font
// boxes that are narrower than this are invisible, so they and their callees are not drawn
constexpr double kNarrowest = 0.1;
constexpr std::size_t kMaxDepth = 2048;

// Script of the document. A click on a box stretches the box and its callers to the whole width; the boxes beside them
// disappear. A search colours the boxes whose names match, and displays their share of the total.
constexpr std::string_view kScript = R"(<script><![CDATA[
const W = 1180, M = 10;
const boxes = Array.from(document.querySelectorAll('g.f'));
const id = n => document.getElementById(n);
const x0 = b => +b.dataset.x, w0 = b => +b.dataset.w;
function fit(b, x, w) {
  const r = b.querySelector('rect'), t = b.querySelector('text');
  b.style.display = w < 0.1 ? 'none' : '';
  r.setAttribute('x', x); r.setAttribute('width', w);
  if (!t) return;
  const n = Math.floor((w - 6) / 7.2), s = b.dataset.n;
  t.setAttribute('x', x + 3);
  t.textContent = n < 3 ? '' : s.length <= n ? s : s.slice(0, n - 2) + '..';
}
function zoom(z) {
  const a = x0(z), e = a + w0(z);
  for (const b of boxes) {
    const l = Math.max(x0(b), a), r = Math.min(x0(b) + w0(b), e);
    fit(b, M + (l - a) / w0(z) * W, r > l ? (r - l) / w0(z) * W : 0);
  }
  id('reset').style.display = z === boxes[0] ? 'none' : '';
}
function search(text) {
  let wanted = null;
  try { wanted = text ? new RegExp(text) : null; } catch (e) { id('matched').textContent = 'not a regular expression'; return; }
  const found = [];
  for (const b of boxes) {
    const hit = wanted && wanted.test(b.dataset.n);
    b.classList.toggle('hit', !!hit);
    if (hit) found.push([x0(b), x0(b) + w0(b)]);
  }
  let end = 0, sum = 0;
  for (const [l, r] of found.sort((p, q) => p[0] - q[0])) {
    if (r > end) sum += r - Math.max(l, end);
    end = Math.max(end, r);
  }
  id('matched').textContent = wanted ? 'Matched: ' + (sum / W * 100).toFixed(1) + '%' : '';
  id('search').textContent = wanted ? 'Reset search' : 'Search';
}
function ask() {
  const on = id('search').textContent !== 'Search';
  search(on ? '' : prompt('Search for (regular expression):', ''));
}
id('search').addEventListener('click', ask);
id('reset').addEventListener('click', () => { if (boxes.length) zoom(boxes[0]); });
addEventListener('keydown', e => { if ((e.ctrlKey && e.key === 'f') || e.key === 'F3') { e.preventDefault(); ask(); } });
for (const b of boxes) {
  b.addEventListener('click', () => zoom(b));
  b.addEventListener('mouseover', () => { id('details').textContent = b.querySelector('title').textContent; });
}
]]></script>
)";

void append_number(Text& out, double value)
{
    char buffer[32];
    const int size = std::snprintf(buffer, sizeof buffer, "%.2f", value);
    out.append({buffer, static_cast<std::size_t>(size)});
}

void append_attribute(Text& out, std::string_view name, double value)
{
    out.append(' ');
    out.append(name);
    out.append("=\"");
    append_number(out, value);
    out.append('"');
}

// Appends text for XML content and attributes. Characters that XML does not allow become question marks.
void append_xml(Text& out, std::string_view text)
{
    for (const char c : text) {
        switch (c) {
        case '&':
            out.append("&amp;");
            break;
        case '<':
            out.append("&lt;");
            break;
        case '>':
            out.append("&gt;");
            break;
        case '"':
            out.append("&quot;");
            break;
        default:
            out.append(c >= ' ' && c <= '~' ? c : '?');
        }
    }
}

// Appends a colour that depends only on the name, so that a function looks the same in every graph. User code has warm
// colours, the kernel is blue, and JIT code is green.
void append_colour(Text& out, std::string_view name, char kind)
{
    uint32_t hash = 2166136261u;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const unsigned strong = 205 + (hash & 0xff) % 50, middle = 60 + (hash >> 8 & 0xff) % 150,
                   weak = (hash >> 16 & 0xff) % 60;
    const unsigned red = kind == kKernelFrame ? 90 + weak : kind == kJitFrame ? 80 + weak : strong;
    const unsigned green = kind == kKernelFrame ? 130 + weak : kind == kJitFrame ? strong - 15 : middle;
    const unsigned blue = kind == kKernelFrame ? strong : kind == kJitFrame ? 70 + weak : weak;
    char buffer[24];
    const int size = std::snprintf(buffer, sizeof buffer, "rgb(%u,%u,%u)", red, green, blue);
    out.append({buffer, static_cast<std::size_t>(size)});
}

class Drawing {
public:
    Drawing(Text& out, const FlameTree& tree, const FlameStyle& style, double height)
        : out_(out), style_(style), total_(tree.root().total), height_(height)
    {
    }

    void draw(std::string_view name, const FlameTree::Frame& frame, uint64_t before, std::size_t level)
    {
        const double share = kWidth - 2 * kMargin;
        const double x = static_cast<double>(before) / static_cast<double>(total_) * share;
        const double width = static_cast<double>(frame.total) / static_cast<double>(total_) * share;
        if (width < kNarrowest || level > kMaxDepth)
            return;
        const double row = kRow * static_cast<double>(level);
        box(name, frame.total, x, width, style_.icicle ? kTitleHeight + row : height_ - kFootHeight - kRow - row);
        for (const auto& [callee, of_callee] : frame.callees) {
            draw(callee, of_callee, before, level + 1);
            before += of_callee.total;
        }
    }

private:
    void box(std::string_view name, uint64_t total, double x, double width, double y)
    {
        const char kind =
            !name.empty() && (name.front() == kKernelFrame || name.front() == kJitFrame) ? name.front() : '\0';
        name.remove_prefix(kind != 0 ? 1 : 0);
        out_.append("<g class=\"f\"");
        append_attribute(out_, "data-x", x);
        append_attribute(out_, "data-w", width);
        out_.append(" data-n=\"");
        append_xml(out_, name);
        out_.append("\"><title>");
        append_xml(out_, name);
        out_.append(" (");
        append_unsigned(out_, total);
        out_.append(' ');
        append_xml(out_, style_.unit);
        out_.append(", ");
        append_number(out_, 100.0 * static_cast<double>(total) / static_cast<double>(total_));
        out_.append("%)</title><rect");
        append_attribute(out_, "x", kMargin + x);
        append_attribute(out_, "y", y);
        append_attribute(out_, "width", width);
        append_attribute(out_, "height", kRow - 1);
        out_.append(" fill=\"");
        append_colour(out_, name, kind);
        out_.append("\"/><text");
        append_attribute(out_, "x", kMargin + x + 3);
        append_attribute(out_, "y", y + kRow - 5);
        out_.append('>');
        append_label(name, width);
        out_.append("</text></g>\n");
    }

    void append_label(std::string_view name, double width)
    {
        const auto letters = static_cast<std::size_t>(std::max(0.0, (width - 6) / kLetter));
        if (letters < 3)
            return;
        append_xml(out_, name.size() <= letters ? name : name.substr(0, letters - 2));
        if (name.size() > letters)
            out_.append("..");
    }

    Text& out_;
    const FlameStyle& style_;
    uint64_t total_;
    double height_;
};

void append_text_element(Text& out, std::string_view attributes, double y, std::string_view text)
{
    out.append("<text ");
    out.append(attributes);
    append_attribute(out, "y", y);
    out.append('>');
    append_xml(out, text);
    out.append("</text>\n");
}

} // namespace

void FlameTree::add(std::string_view folded, int64_t value)
{
    if (value <= 0)
        return;
    Frame* frame = &root_;
    frame->total += static_cast<uint64_t>(value);
    std::size_t depth = 0;
    for (std::size_t start = 0; start <= folded.size(); ++depth) {
        const std::size_t end = std::min(folded.find(';', start), folded.size());
        frame = &frame->callees[std::string(folded.substr(start, end - start))];
        frame->total += static_cast<uint64_t>(value);
        start = end + 1;
    }
    depth_ = std::max(depth_, depth);
}

void append_flamegraph(Text& out, const FlameTree& tree, const FlameStyle& style)
{
    const std::size_t rows = std::min(tree.depth(), kMaxDepth) + 1;
    const double height = kTitleHeight + kFootHeight + kRow * static_cast<double>(rows);
    out.append("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<svg "
               "xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    append_attribute(out, "width", kWidth);
    append_attribute(out, "height", height);
    out.append(" viewBox=\"0 0 ");
    append_number(out, kWidth);
    out.append(' ');
    append_number(out, height);
    out.append("\">\n<style>text { font: 12px monospace; fill: #000; } .f, .button { cursor: pointer; } .f:hover rect "
               "{ stroke: #000; } "
               ".hit rect { fill: #e0e; }</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#f8f8f4\"/>\n");
    append_text_element(out, "style=\"font-size:17px\" text-anchor=\"middle\" x=\"600\"", 26, style.title);
    append_text_element(out, "style=\"fill:#666\" text-anchor=\"middle\" x=\"600\"", 46, style.subtitle);
    append_text_element(out, "id=\"reset\" class=\"button\" style=\"display:none\" x=\"10\"", 26, "Reset zoom");
    append_text_element(out, "id=\"search\" class=\"button\" text-anchor=\"end\" x=\"1190\"", 26, "Search");
    append_text_element(out, "id=\"details\" x=\"10\"", height - 10, " ");
    append_text_element(out, "id=\"matched\" text-anchor=\"end\" x=\"1190\"", height - 10, " ");
    if (tree.root().total != 0)
        Drawing(out, tree, style, height).draw("all", tree.root(), 0, 0);
    out.append(kScript);
    out.append("</svg>\n");
}

} // namespace dt::format
