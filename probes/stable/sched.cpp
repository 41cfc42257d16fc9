// sched: what the scheduler does with threads (providers reference 13).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {

const std::vector<Row>& sched_rows()
{
    const Source current{{Kind::CurrentTask}};
    // sched_switch(preempt, prev, next, prev_state), sched_waking(task)
    static const std::vector<Row> kRows = {
        {"off-cpu", {raw("sched_switch", {word(2)})}, {thread(), process()}},
        {"on-cpu", {function({"finish_task_switch", "finish_task_switch.isra.0"})}, {}},
        {"sleep", {raw("sched_switch", {}, {{word(0, 1), Relation::Equal, {0}}, {word(3, 4), Relation::NotEqual, {0}}})}, {}},
        {"preempt", {raw("sched_switch", {}, {{word(0, 1), Relation::NotEqual, {0}}})}, {}},
        {"wakeup", {raw("sched_waking", {word(0)})}, {thread(), process()}},
        {"surrender", {function({"do_sched_yield"}, {current})}, {thread(), process()}},
        {"tick", {function({"sched_tick", "scheduler_tick"}, {current})}, {thread(), process()}},
    };
    return kRows;
}

} // namespace dt::probes::stable
