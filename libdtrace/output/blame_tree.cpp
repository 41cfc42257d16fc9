// Builds the trees of blame(). An entry's key is a chain of alternating thread names and parts (states), and its value
// is the time at the end of the chain. A line of a tree is a thread, or a part of its time with the thread that it
// waited for.
#include "libdtrace/output/blame_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "libdtrace/format/scalar.hpp"

namespace dt::output {

namespace {

struct BlameNode {
    int64_t time = 0;
    std::map<std::string, BlameNode> next;
};

struct BlameTree {
    std::string keys; ///< in printed form
    BlameNode root;
};

/// Splits a chain into tree lines: "a;futex;b;running" becomes "a", "futex <- b", "running".
std::vector<std::string> chain_lines(std::string_view chain)
{
    std::vector<std::string> lines;
    bool is_part = false;
    while (true) {
        const std::size_t end = chain.find(';');
        std::string name(chain.substr(0, end));
        if (is_part || lines.empty())
            lines.push_back(std::move(name));
        else
            lines.back() += " <- " + name;
        if (end == std::string_view::npos)
            return lines;
        is_part = lines.size() == 1 || !is_part;
        chain.remove_prefix(end + 1);
    }
}

void append_blame_node(format::Text& out, const format::Environment& env, const BlameNode& node, int64_t whole,
                       int64_t divisor, std::size_t depth)
{
    std::vector<std::pair<const std::string*, const BlameNode*>> order;
    for (const auto& [name, next] : node.next)
        order.emplace_back(&name, &next);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second->time > b.second->time; });
    for (const auto& [name, next] : order) {
        char percent[32];
        std::snprintf(percent, sizeof percent, "%8.2f ",
                      100 * static_cast<double>(next->time) / static_cast<double>(std::max<int64_t>(whole, 1)));
        out.append(percent);
        format::append_right(out, std::to_string(format::divided(next->time, divisor)), 13);
        out.fill(' ', 2 + 2 * depth);
        out.append(format::shown(env, *name));
        out.append('\n');
        append_blame_node(out, env, *next, whole, divisor, depth + 1);
    }
}

BlameTree& tree_of(std::vector<BlameTree>& trees, std::string keys)
{
    const auto known =
        std::find_if(trees.begin(), trees.end(), [&](const BlameTree& tree) { return tree.keys == keys; });
    return known != trees.end() ? *known : trees.emplace_back(BlameTree{std::move(keys), {}});
}

} // namespace

void append_blame(format::Text& out, const format::Environment& env, const Aggregation& table,
                  const std::vector<Row>& rows)
{
    std::vector<BlameTree> trees;
    const std::vector<Datum>& datums = table.schema().keys;
    for (const Row& row : rows) {
        const uint32_t entry = row.entries[0];
        const bool is_gone = entry == Aggregation::kGone;
        format::Text keys;
        for (std::size_t i = 0; i + 1 < datums.size(); ++i)
            is_gone ? format::append_gone_key(keys, env, datums[i])
                    : format::append_key(keys, env, datums[i], table.key(entry));
        BlameNode* node = &tree_of(trees, std::string(keys.view())).root;
        const int64_t time = table.words(entry)[0];
        node->time += time;
        const std::string_view chain =
            is_gone ? format::kGoneKey : format::load_characters(env, datums.back(), table.key(entry));
        for (std::string& line : chain_lines(chain)) {
            node = &node->next[std::move(line)];
            node->time += time;
        }
    }
    std::stable_sort(trees.begin(), trees.end(), [&](const BlameTree& a, const BlameTree& b) {
        return env.options.aggsortrev ? a.root.time > b.root.time : a.root.time < b.root.time;
    });
    for (const BlameTree& tree : trees) {
        out.append(tree.keys);
        out.append("\n percent          time  chain\n");
        append_blame_node(out, env, tree.root, tree.root.time, table.divisor, 0);
        out.append('\n');
    }
}

} // namespace dt::output
