// list: the objects that exist when a trace starts (dtrace-providers(7), list).
//
// The hooks are BPF iterators. An iterator calls its program for each object, and a last time without an object. While
// it does so, the current process is dtrace, so only the arguments describe the object.
#include <netinet/in.h>

#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

/// Returns the source of a word of an iterator's context: struct bpf_iter__NAME. The program copies the word, because
/// the verifier forbids arithmetic on the pointer that the context contains.
Source context_word(int64_t word, uint8_t size = 8)
{
    return bytes({{Kind::ContextAddress, 0, word * 8}}, 0, size);
}

/// Returns a hook for an iterator. `object` is the source of the object's address.
Hook iterator(const char* name, const char* first_release, const Source& object, std::vector<Source> arguments)
{
    Hook hook{ProgramKind::Iterator, {name}, {{object, Relation::NotEqual, {0}}}, std::move(arguments)};
    hook.first_release = first_release;
    return hook;
}

} // namespace

const std::vector<Row>& list_rows()
{
    // The first word of each context is the iterator's struct bpf_iter_meta. The following words are, in task: task; in
    // task_file: task, number of the descriptor, file; in task_vma: task, mapping; in tcp, udp and unix: socket, user
    // id of the owner; in bpf_map: map.
    const Source first = context_word(1), descriptor = context_word(2, 4), file = context_word(3),
                 vma = context_word(2), owner = context_word(2, 4);
    const auto socket = [&](const char* name, const char* first_release, int64_t protocol) {
        return iterator(name, first_release, first, {first, constant(protocol), owner});
    };
    static const std::vector<Row> kRows = {
        {"task", {iterator("task", "5.8", first, {first})}, {thread(), process()}},
        {"file",
         {iterator("task_file", "5.8", file, {file, first, descriptor})},
         {{"struct file *", "fileinfo_t *", 0}, process(1), number(2)}},
        {"vma",
         {iterator("task_vma", "5.12", vma, {vma, first})},
         {{"struct vm_area_struct *", "vmainfo_t *", 0}, process(1)}},
        {"socket",
         {socket("tcp", "5.9", IPPROTO_TCP), socket("udp", "5.9", IPPROTO_UDP), socket("unix", "5.15", 0)},
         {{"struct sock *", "csinfo_t *", 0}, {"struct sock_common *", "sockinfo_t *", 0}, {"uid_t", {}, 2}}},
        {"map", {iterator("bpf_map", "5.8", first, {first})}, {{"struct bpf_map *", {}, 0}}},
    };
    return kRows;
}

} // namespace dt::probes::stable
