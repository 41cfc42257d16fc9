// vminfo: the kernel's counters of virtual memory (dtrace-providers(7), vminfo). arg0 is the increment; arg1 is unused.
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

/// Makes a hook for data that are written to a disk or read from one: block_bio_queue(bio). REQ_OP_READ is 0,
/// REQ_OP_WRITE 1.
Hook transferred(bool out, Source amount)
{
    const Source operation = member(0, "bio", "bi_opf", 4), size = member(0, "bio", "bi_iter.bi_size", 4);
    return raw("block_bio_queue", {std::move(amount)},
               {{bits(operation, 0xff), Relation::Equal, {out}}, {size, Relation::NotEqual, {0}}});
}

/// Makes a hook for pages reclaimed from a scanned list: mm_vmscan_lru_shrink_inactive(node, scanned, reclaimed,
/// counts, priority, file).
const Source is_file = word(5, 4);
Hook freed(std::vector<When> when)
{
    when.push_back({word(2), Relation::NotEqual, {0}});
    return raw("mm_vmscan_lru_shrink_inactive", {word(2)}, std::move(when));
}

} // namespace

const std::vector<Row>& vminfo_rows()
{
    const Source one = constant(1), pages = shifted(member(0, "bio", "bi_iter.bi_size", 4), 12);
    // page_fault_user(address, regs, error): bit 0 of error means that the page is present but the access is forbidden
    // (asm/trap_pf.h). Some processors have no such tracepoints.
    const Source forbidden = bits(word(2), 1);
    const Hook swapped_in = function({"swap_read_folio", "swap_readpage"}, {one});
    const Hook swapped_out = function({"swap_writeout", "swap_writepage"}, {one});
    static const std::vector<Row> kRows = {
        {"as_fault",
         {raw("page_fault_user", {one}, {{forbidden, Relation::Equal, {0}}})},
         {},
         {event("1:all:1:2:user", {one})}}, // PERF_COUNT_SW_PAGE_FAULTS, which includes forbidden accesses
        {"prot_fault", {raw("page_fault_user", {one}, {{forbidden, Relation::NotEqual, {0}}})}, {}},
        {"kernel_asflt", {raw("page_fault_kernel", {one})}, {}, {event("1:all:1:2:kernel", {one})}},
        {"maj_fault", {event("1:all:1:6", {one})}, {}}, // PERF_COUNT_SW_PAGE_FAULTS_MAJ
        {"pgrec",
         {event("1:all:1:5", {one})},
         {}}, // PERF_COUNT_SW_PAGE_FAULTS_MIN: "reclaiming a page frame" (getrusage(2), ru_minflt)
        {"cow_fault", {function({"wp_page_copy", "do_wp_page"}, {one})}, {}},
        {"zfod", {function({"do_anonymous_page"}, {one})}, {}},
        {"pgin", {transferred(false, one)}, {}},
        {"pgout", {transferred(true, one)}, {}},
        {"pgpgin", {transferred(false, pages)}, {}},
        {"pgpgout", {transferred(true, pages)}, {}},
        {"anonpgin", {swapped_in}, {}},
        {"anonpgout", {swapped_out}, {}},
        {"pgswapin", {swapped_in}, {}},
        {"pgswapout", {swapped_out}, {}},
        {"pgrrun", {raw("mm_vmscan_kswapd_wake", {one})}, {}},
        {"scan", {raw("mm_vmscan_lru_isolate", {word(3)})}, {}},
        {"dfree", {freed({})}, {}},
        {"anonfree", {freed({{is_file, Relation::Equal, {0}}})}, {}},
        {"fsfree", {freed({{is_file, Relation::NotEqual, {0}}})}, {}},
    };
    return kRows;
}

} // namespace dt::probes::stable
