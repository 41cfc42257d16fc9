// Applies events to the table. The events of a process are spread over the buffers of several CPUs, so they may arrive
// out of order. Each event is applied at its own time: an older event does not overwrite newer data.
#include "libdtrace/mappings/process_table.hpp"

#include <algorithm>
#include <utility>

namespace dt {
namespace {

constexpr int64_t kMaxPids = 1 << 22; // the highest value that pid_max can have (proc(5))

bool is_same_place(const MappedPart& a, const MappedPart& b)
{
    return a.start - a.offset == b.start - b.offset && is_same_file(a, b);
}

} // namespace

bool is_same_file(const MappedPart& a, const MappedPart& b)
{
    const bool by_id = !a.file->build_id.empty() && !b.file->build_id.empty();
    const bool by_inode = a.inode != 0 && b.inode != 0;
    const bool same_path = a.file->path == b.file->path;
    return a.file == b.file ||
           (by_id ? a.file->build_id == b.file->build_id : same_path && (!by_inode || a.inode == b.inode));
}

void MappedParts::push_back(MappedPart part)
{
    const std::size_t before = memory();
    list_.push_back(std::move(part));
    count(before);
}

void MappedParts::drop_older_half()
{
    const std::size_t before = memory();
    list_ = std::vector<MappedPart>(list_.begin() + static_cast<std::ptrdiff_t>((list_.size() + 1) / 2), list_.end());
    count(before);
}

void MappedParts::move_later_parts(uint64_t time, MappedParts& to)
{
    for (const MappedPart& part : list_)
        if (part.since > time)
            to.push_back(part);
    std::erase_if(list_, [time](const MappedPart& part) { return part.since > time; });
}

void PidSet::insert(int64_t pid)
{
    if (pid <= 0 || pid >= kMaxPids)
        return;
    if (static_cast<std::size_t>(pid) >= bits_.size())
        bits_.resize(static_cast<std::size_t>(pid) + 1);
    bits_[static_cast<std::size_t>(pid)] = true;
}

void PidSet::erase(int64_t pid)
{
    if (contains(pid))
        bits_[static_cast<std::size_t>(pid)] = false;
}

// ---- known processes ------------------------------------------------------------------------------------------------

ProcessTable::Process& ProcessTable::of(int64_t pid)
{
    const auto [known, is_new] = processes_.try_emplace(pid);
    Process& process = known->second;
    if (is_new) {
        process.place = living_.insert(living_.end(), pid);
        process.is_partial = forgotten_.contains(pid);
        become(process);
    } else if (!process.has_ended) {
        living_.splice(living_.end(), living_, process.place);
    }
    return process;
}

const ProcessTable::Process* ProcessTable::find(int64_t pid) const
{
    const auto known = processes_.find(pid);
    return known == processes_.end() ? nullptr : &known->second;
}

uint64_t ProcessTable::version(int64_t pid) const
{
    const Process* const known = find(pid);
    return !known ? 0 : known->has_ended ? ~known->version : known->version;
}

void ProcessTable::become(Process& process)
{
    process.became = process.version = ++changes_;
}

/// Moves the process to the end of the list of living processes, or of ended ones.
void ProcessTable::move(Process& process, bool has_ended)
{
    std::list<int64_t>& from = process.has_ended ? ended_ : living_;
    std::list<int64_t>& to = has_ended ? ended_ : living_;
    to.splice(to.end(), from, process.place);
    process.has_ended = has_ended;
}

void ProcessTable::erase(int64_t pid)
{
    const auto known = processes_.find(pid);
    Process& process = known->second;
    if (process.is_known())
        forgotten_.insert(pid);
    bytes_ -= process.jit_bytes;
    (process.has_ended ? ended_ : living_).erase(process.place);
    processes_.erase(known);
}

void ProcessTable::make_room(int64_t except)
{
    while (is_full() && processes_.size() > 1) {
        const bool nobody_ended = ended_.empty() || (ended_.size() == 1 && ended_.front() == except);
        std::list<int64_t>& among = nobody_ended ? living_ : ended_;
        if (among.front() == except)
            among.splice(among.end(), among, among.begin());
        erase(among.front());
    }
}

void ProcessTable::forget_all()
{
    processes_.clear();
    living_.clear();
    ended_.clear();
    forgotten_.clear();
    counted_.clear();
    has_lost_ = false;
    bytes_ = 0;
    missed_ = 0;
}

void ProcessTable::miss(int64_t pid)
{
    const auto known = processes_.find(pid);
    if (known == processes_.end())
        return;
    Process& process = known->second;
    const bool was_forgotten = process.is_partial || (!process.is_known() && (has_lost_ || forgotten_.contains(pid)));
    if (was_forgotten && !counted_.contains(pid)) {
        ++missed_;
        counted_.insert(pid);
    }
    if (process.is_known())
        return;
    move(process, true);
    // Moves the process to the front of the list of ended processes, because a process without data is removed before
    // all others.
    ended_.splice(ended_.begin(), ended_, process.place);
}

// ---- events ---------------------------------------------------------------------------------------------------------

void ProcessTable::apply(const MappingEvent& event)
{
    switch (event.kind) {
    case MappingEvent::Kind::Fork:
        return fork(event);
    case MappingEvent::Kind::Exec:
        return exec(event);
    case MappingEvent::Kind::Exit:
        return exit(event);
    case MappingEvent::Kind::Map:
    case MappingEvent::Kind::LeaderExit:
    case MappingEvent::Kind::Lost:
        return;
    }
}

void ProcessTable::lose(uint64_t since, uint64_t until)
{
    has_lost_ = true;
    for (auto& [pid, process] : processes_) {
        if (process.died != 0 && process.died <= since)
            continue;
        std::vector<Image>& images = process.images;
        const auto is_unknown = [](const Image& image) { return image.parts->list().empty(); };
        if (images.size() > 1 && is_unknown(images.back()) && is_unknown(images[images.size() - 2]))
            // If no mapping was added since the previous loss of events, the two losses become one interval.
            images.pop_back();
        else
            push_image(process, since);
        push_image(process, until);
        process.is_partial = true;
        process.parent = 0;
        process.checks = 0;
        process.died = 0;
        become(process);
        process.has_ended = true;
    }
    ended_.splice(ended_.end(), living_);
}

void ProcessTable::push_image(Process& process, uint64_t since)
{
    process.images.push_back({since, no_parts()});
    if (process.images.size() > bounds_.images) {
        process.images.erase(process.images.begin());
        process.is_partial = true;
    }
}

void ProcessTable::exit(const MappingEvent& event)
{
    Process& process = of(event.pid);
    process.died = event.time;
    move(process, true);
}

void ProcessTable::fork(const MappingEvent& event)
{
    Process& process = of(event.pid);
    bytes_ -= process.jit_bytes;
    Process child;
    child.place = process.place;
    child.has_ended = process.has_ended;
    child.died = process.died > event.time ? process.died : 0;
    std::vector<Image> younger = std::move(process.images);
    std::erase_if(younger, [&](const Image& image) { return image.since <= event.time; });
    process = std::move(child);
    move(process, process.died != 0);
    become(process);
    forgotten_.erase(event.pid);
    counted_.erase(event.pid);
    const Process* const parent = find(event.parent);
    if (parent && !parent->images.empty())
        process.images.push_back({0, parent->images.back().parts});
    else if (younger.empty())
        process.parent = event.parent;
    process.images.insert(process.images.end(), younger.begin(), younger.end());
}

void ProcessTable::exec(const MappingEvent& event)
{
    Process& process = of(event.pid);
    runs(process, event.time);
    const std::shared_ptr<MappedParts> younger = no_parts();
    const auto is_younger = [&](const MappedPart& part) { return part.since > event.time; };
    if (!process.images.empty()) {
        Image& before = process.images.back();
        if (std::any_of(before.parts->list().begin(), before.parts->list().end(), is_younger)) {
            before.parts = std::make_shared<MappedParts>(*before.parts);
            before.parts->move_later_parts(event.time, *younger);
        }
    }
    push_image(process, event.time);
    process.images.back().parts = younger;
    process.parent = 0;
    process.checks = 0;
    become(process);
}

void ProcessTable::runs(Process& process, uint64_t time)
{
    if (process.died > time)
        return;
    process.died = 0;
    move(process, false);
}

ProcessTable::Image& ProcessTable::image(Process& process)
{
    if (process.images.empty())
        process.images.push_back({0, no_parts()});
    return process.images.back();
}

void ProcessTable::unmap(Process& process)
{
    image(process).parts = no_parts();
    process.version = ++changes_;
}

void ProcessTable::set_jit(Process& process, std::vector<ElfSymbols::Symbol> symbols)
{
    std::size_t bytes = symbols.capacity() * sizeof(ElfSymbols::Symbol);
    for (const ElfSymbols::Symbol& symbol : symbols)
        bytes += symbol.name.capacity() > 15 ? symbol.name.capacity() + 1 : 0;
    bytes_ += bytes - std::exchange(process.jit_bytes, bytes);
    process.jit = std::move(symbols);
    process.version = ++changes_;
}

void ProcessTable::add(Process& process, std::size_t among, MappedPart part)
{
    Image& present = image(process);
    if (present.parts.use_count() > 1)
        present.parts = std::make_shared<MappedParts>(*present.parts);
    MappedParts& known = *present.parts;
    for (std::size_t i = 0; i < std::min(among, known.list().size()); ++i)
        if (MappedPart& other = known.at(i); other.start == part.start && other.end == part.end &&
                                             is_same_place(other, part) && other.since <= part.since) {
            other.inode = std::max(other.inode, part.inode);
            other.file->deleted |= part.file->deleted;
            return;
        }
    if (known.list().size() >= bounds_.parts) {
        known.drop_older_half();
        process.is_partial = true;
    }
    known.push_back(std::move(part));
    process.version = ++changes_;
}

// ---- queries --------------------------------------------------------------------------------------------------------

/// Searches the mappings of the program that ran at `time`, not those of programs that the process executed before. If
/// `time` is 0, searches all programs.
ProcessTable::Found ProcessTable::look_up(const Process& process, uint64_t address, uint64_t time) const
{
    Found found;
    found.at_any_time = true;
    bool is_decided = false;
    for (auto image = process.images.rbegin(); image != process.images.rend(); ++image) {
        const std::vector<MappedPart>& parts = image->parts->list();
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            if (address < part->start || address >= part->end)
                continue;
            const bool is_later = time != 0 && (image->since > time || part->since > time);
            const bool differs = found.part && !is_same_place(*found.part, *part);
            found.at_any_time &= !is_later && !differs && !is_decided;
            if (time == 0 && differs)
                return {nullptr, nullptr, true, true};
            if (!found.part && !is_later && !is_decided)
                found.part = &*part;
        }
        is_decided |= time != 0 && image->since <= time;
    }
    return found;
}

} // namespace dt
