/* Runtimes whose states (coroutines) are found through words of the native stack (DT_STATE_ON_STACK). Finds the states
 * that run in the thread, innermost first, and assigns their runs to native frames of the loop. A run is the group of
 * frames that one call of the interpreter's loop executes. struct dt_state_layout describes the objects.
 *
 * A word of the stack counts as the address of a state under two conditions. The object at this address has the type of
 * states. It also points to a shared object, and directly before that is a state which points to the same shared
 * object. A state runs in this thread if its innermost jump buffer is on this stack. The state with the lowest jump
 * comes first. The native frames up to its outermost jump belong to it. Then the search continues above that jump. */
#ifndef DT_STACK_STATES_H
#define DT_STACK_STATES_H

#include "bpf-runtime/interpreter_abi.h"
#include "bpf-runtime/runtime.h"

#define SEARCHED_STACK (1 << 16) /* maximum number of bytes of the native stack in which states are searched */
#define MAX_STATE_STEPS (SEARCHED_STACK / 8 + 1024)
#define JUMP_FRAME 512       /* a function with a jump has its state's address at most this many bytes above the jump */
#define NO_JUMP (~0ULL >> 1) /* value for the jump of a state that runs without protected calls */
#define FIRST_ADDRESS 65536
#define USER_ADDRESS_BITS 47
#define STATE_BLOCK 128 /* number of bytes of the stack that are read at a time */

#define MOST_INSIDE 1   /* maximum number of native frames inside of a loop that is about to return */

enum { SEARCH_STATE, FIND_END, SKIP_LOOPS };

/* starts the search at the innermost native frame */
DT_INLINE void begin_states(struct dt_mixed *m)
{
	struct dt_state_walk *w = &m->states;

	m->thread = m->frame = 0;
	w->phase = SEARCH_STATE;
	w->at = (m->sp + 7) & ~7ULL;
	w->from = m->sp - 1;
	w->limit = m->sp + SEARCHED_STACK;
	w->jump = NO_JUMP;
	w->best = w->end = w->loop = w->ended = w->has_jumps = w->is_done = w->words_at = 0;
	w->is_first = 1;
}

/* Stores the stack pointer of native frame `n`, a frame of the loop. */
DT_INLINE void keep_loop(struct dt_mixed *m, dt_u64 n)
{
	if (!m->loops)
		m->states.first_loop = n;
	m->frames[m->loops & (DT_UNWIND_FRAMES - 1)] = m->stack_pointers[n & (DT_UNWIND_FRAMES - 1)];
}

/* Returns whether this frame of the loop belongs to the current state. */
DT_INLINE dt_u64 has_next_loop(const struct dt_mixed *m, dt_u64 loop)
{
	return loop < m->loops && m->frames[loop & (DT_UNWIND_FRAMES - 1)] < m->states.end;
}

/* Ends the current run, unless the state has no further frame of the loop. A state that was suspended and continues
 * executes all its runs in one call of the loop, so that call gets all remaining runs. */
DT_INLINE void end_run_of_state(struct dt_mixed *m)
{
	struct dt_state_walk *w = &m->states;

	if (!has_next_loop(m, w->loop + 1))
		return;
	found_word(m, RUN_END);
	m->runs++;
	w->loop++;
	w->ended = m->found_count;
}

/* Ends the current state. The innermost frame of the loop may have no run left, because it is about to return. If any
 * other frame of the loop has no run, one of the frames belongs to a state that has no jump. It is not known which
 * frame, so no runs are assigned at all. Returns not 0 if the walk ends. */
DT_INLINE long end_state(struct dt_mixed *m)
{
	struct dt_state_walk *w = &m->states;

	if (m->found_count > w->ended && has_next_loop(m, w->loop)) {
		found_word(m, RUN_END);
		m->runs++;
		w->loop++;
		w->ended = m->found_count;
	}
	if (has_next_loop(m, w->loop)) {
		if (w->has_jumps || !w->is_first || w->end == NO_JUMP || w->first_loop > MOST_INSIDE ||
		    has_next_loop(m, w->loop + 1)) {
			m->found_count = m->runs = 0;
			m->reason = w->first_loop > MOST_INSIDE ? DT_UNNAMED_THREAD : DT_UNNAMED_BEGINS;
			w->is_done = 1;
			return 1;
		}
		w->loop++;
	}
	w->is_first = 0;
	w->is_done = w->loop >= m->loops;
	return w->is_done;
}

/* marks the frames of the loop whose state was not found */
DT_INLINE long skip_loop(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_state_walk *w = &m->states;

	if (w->phase != SKIP_LOOPS)
		found_word(m, DT_INTERPRETER_WORD(0, DT_UNNAMED_THREAD | s->of->kind << 8));
	w->phase = SKIP_LOOPS;
	found_word(m, RUN_END);
	m->runs++;
	w->loop++;
	w->is_done = w->loop >= m->loops;
	return w->is_done;
}

/* Returns the innermost jump of the state in w->state. Returns NO_JUMP if the state runs without a jump, and 0 if the
 * state does not run. */
DT_INLINE dt_u64 jump_of_state(const struct dt_interpreter *of, const struct dt_state_walk *w, dt_u64 at)
{
	dt_u64 jump = w->state[of->state.jump >> 3 & 15];
	dt_u32 byte = of->state.idle_byte;

	if (jump)
		return jump;
	return w->state[of->frame_of_thread >> 3 & 15] == at + of->state.idle_frame ||
	                       w->state[byte >> 3 & 15] >> (byte & 7) * 8 & 0xff
	               ? 0
	               : NO_JUMP;
}

/* examines the next word of the native stack */
DT_INLINE void examine_word(struct search *s)
{
	const struct dt_state_layout *l = &s->of->state;
	struct dt_state_walk *w = &s->m->states;
	dt_u64 word, jump, shared, type = l->type_at;

	if (w->words_at != (w->at & ~(dt_u64)(STATE_BLOCK - 1))) {
		w->words_at = w->at & ~(dt_u64)(STATE_BLOCK - 1);
		if (read_memory(w->words, STATE_BLOCK, w->words_at)) {
			w->limit = w->at;
			if (w->at < w->jump) /* the jump is on the stack of another thread */
				w->best = w->best && w->jump == NO_JUMP ? w->best : 0;
			return;
		}
	}
	word = w->words[w->at >> 3 & 15];
	w->at += 8;
	if (word & 7 || word < FIRST_ADDRESS || word >> USER_ADDRESS_BITS || word - s->m->sp < SEARCHED_STACK ||
	    word == w->best || read_memory(w->state, STATE_BLOCK, word) ||
	    (w->state[type >> 3 & 15] >> (type & 7) * 8 & 0xff) != l->type)
		return;
	shared = w->state[l->shared >> 3 & 15];
	if (read_memory(w->first, sizeof(w->first), shared - l->size) ||
	    (w->first[type >> 3 & 3] >> (type & 7) * 8 & 0xff) != l->type || w->first[l->shared >> 3 & 3] != shared)
		return;
	jump = jump_of_state(s->of, w, word);
	if (jump <= w->from || (jump >= w->jump && w->best))
		return;
	w->jump = jump;
	w->best = word;
}

/* Finds the outermost jump of the state that was found, following one jump per call. Then the walk visits the
 * state's frames. */
DT_INLINE long find_end_of_state(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_state_walk *w = &m->states;
	dt_u64 next = 0;

	if (w->end != NO_JUMP && read_memory(&next, 8, w->end + s->of->state.jump_next))
		return skip_loop(s);
	if (next) {
		if (next <= w->end)
			return skip_loop(s);
		w->end = next;
		w->has_jumps = 1;
		return 0;
	}
	w->phase = SEARCH_STATE;
	w->from = w->end;
	if (w->at < w->end)
		w->at = (w->end + 7) & ~7ULL;
	w->is_saved = w->best = 0;
	w->jump = NO_JUMP;
	w->words_at = 0;
	if (read_memory(&m->frame, 8, m->thread + s->of->frame_of_thread) || !m->frame)
		return skip_loop(s);
	return 0;
}

/* Continues the search after the frames of a state. Returns not 0 if the walk ends. */
DT_INLINE long find_next_state(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_state_walk *w = &m->states;

	if (w->phase == SKIP_LOOPS)
		return skip_loop(s);
	if (w->phase == FIND_END)
		return find_end_of_state(s);
	if (m->thread) {
		m->thread = 0;
		if (end_state(m))
			return 1;
	}
	if (w->at < w->limit && (!w->best || w->at < w->jump + JUMP_FRAME)) {
		examine_word(s);
		return 0;
	}
	if (!w->best)
		return skip_loop(s);
	m->thread = w->best;
	w->end = w->jump;
	w->has_jumps = 0;
	w->phase = FIND_END;
	return 0;
}

#endif
