/* Java (DT_BY_CODE_CACHE): names the frames of generated code, which the walk of native frames has found
 * (code_cache.h).
 *
 * Compiled code has a list of scopes for each return address: the method itself, and the methods that were inlined
 * there, each with the position of its bytecode. The innermost frame is not at a return address; as in Java's own
 * profilers, the next return address is used for it.
 *
 * Methods, their constants and texts do not move, and they are not freed while a frame of the method exists. A method
 * is captured only if its class lists it, which detects wrong addresses. */
#ifndef DT_JAVA_METHODS_H
#define DT_JAVA_METHODS_H

#include "bpf-runtime/interpreter_abi.h"
#include "bpf-runtime/runtime.h"

#define MAX_PLACE_BITS 20 /* maximum number of bits in the number of return addresses in compiled code */
#define PLACE_BYTES 16    /* pc, scope; 4 bytes each */
#define UTF8_TAG 1
#define TAGS_DATA 4 /* offset of the elements in an array of bytes that begins with its length */
#define IS_NATIVE 0x100
#define JAVA_METHOD_BELOW 24 /* distance of the method's word from the frame pointer */
#define JAVA_BCP_BELOW 64
#define MAX_METHODS (1 << 16)
#define MAX_LINES 2047 /* bytes */

DT_INLINE dt_u64 java_reason(const struct search *s, dt_u64 reason)
{
	return DT_INTERPRETER_WORD(0, reason | s->of->kind << 8);
}

/* returns the bytes at an offset in `words`, which must lie within one word */
DT_INLINE dt_u64 bytes_at(const dt_u64 *words, dt_u64 most, dt_u32 offset)
{
	dt_u64 at = offset >> 3;

	DT_OPAQUE(at);
	return at < most ? words[at] >> (offset & 7) * 8 : 0;
}

#define METHOD_WORD(c, offset) bytes_at((c)->method, 8, offset)
#define CONSTANT_WORD(c, offset) bytes_at((c)->constant, 8, offset)
#define CONSTANTS_WORD(c, offset) bytes_at((c)->constants, 9, offset)
#define BLOB_WORD(c, offset) bytes_at((c)->blob, 18, offset)

/* Reads the address of the text with this index in the constants. Returns not 0 if the constant is no text. */
DT_INLINE long java_text(struct search *s, dt_u64 constants, dt_u64 number, dt_u64 *text)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	dt_u64 tag = 0, tags = CONSTANTS_WORD(&s->m->cache, l->tags);

	return !number || read_memory(&tag, 1, tags + TAGS_DATA + number) || tag != UTF8_TAG ||
	       read_memory(text, 8, constants + l->constants_size + number * 8);
}

/* Adds the length of the text and its last bytes to the digest. Returns the length, or 0 if the text is not
 * readable. */
static __attribute__((noinline)) dt_u64 digest_java_text(struct search *s, dt_u64 at)
{
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 length = 0, from = 0, bytes;

	if (read_memory(&length, 2, at + s->of->cache.text_length))
		return 0;
	c->text[0] = c->text[1] = c->text[2] = c->text[3] = 0;
	bytes = length;
	if (bytes > 31) {
		from = bytes - 31;
		bytes = 31;
	}
	DT_OPAQUE(bytes);
	bytes &= 31;
	if (!bytes || read_memory(c->text, bytes, at + s->of->cache.text + from))
		return 0;
	s->m->key.digest = mixed_digest(s->m->key.digest, at ^ length << 48);
	s->m->key.digest = mixed_digest(s->m->key.digest, c->text[0] ^ c->text[1] * 3);
	s->m->key.digest = mixed_digest(s->m->key.digest, c->text[2] ^ c->text[3] * 3);
	return length;
}

/* Returns whether the first words of two tables of functions are equal, so that the objects have the same type. Each
 * copy of a class archive has copies of these tables. */
DT_INLINE dt_u64 are_of_one_type(struct dt_code_cache_walk *c, dt_u64 one, dt_u64 other)
{
	if (one == other)
		return 1;
	if (read_memory(c->array, 32, one) || read_memory(c->text, 32, other))
		return 0;
	return c->array[0] == c->text[0] && c->array[1] == c->text[1] && c->array[2] == c->text[2] &&
	       c->array[3] == c->text[3];
}

/* Returns whether the method is a member of the class, or has been replaced by another one when the class was
 * redefined. */
DT_INLINE dt_u64 is_method_of_class(struct search *s, dt_u64 method)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 methods = 0, count = 0, other = 0, number = (dt_u16)CONSTANT_WORD(c, l->number);

	if (read_memory(&methods, 8, c->holder + l->class_methods) || read_memory(&count, 4, methods) ||
	    number >= count || count > MAX_METHODS || read_memory(&other, 8, methods + l->methods_data + number * 8))
		return 0;
	if (other == method)
		return 1;
	return !read_memory(&other, 8, other) && are_of_one_type(c, other, c->method[0]);
}

/* Captures the method whose parts are in c->method and the following members. Returns its index in
 * DT_MAP_INTERPRETER_TEXTS, or 0 if there is no room. */
DT_INLINE dt_u32 keep_java_method(struct search *s)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	struct dt_mixed *m = s->m;
	struct dt_code_cache_walk *c = &m->cache;
	dt_u64 lines = METHOD_WORD(c, l->constant) + l->constant_size + (dt_u16)CONSTANT_WORD(c, l->code_size);
	dt_u64 end = METHOD_WORD(c, l->constant) + (dt_u32)CONSTANT_WORD(c, l->constant_words) * 8;
	struct dt_code_key key;
	struct dt_code *code;
	dt_u32 position = 0;

	m->head[DT_JAVA_LINES] = 0;
	code = new_code(m, &position);
	if (!code)
		return 0;
	code->got[0] = capture(code->name, DT_CODE_NAME - 1, m->head[DT_JAVA_NAME], c->name + l->text);
	code->got[1] = capture(code->file, DT_CODE_FILE - 1, m->head[DT_JAVA_FILE], c->file + l->text);
	code->got[2] = capture(code->table, DT_JAVA_CLASS_BYTES - 1, m->head[DT_JAVA_CLASS], c->class_name + l->text);
	if (CONSTANT_WORD(c, l->constant_flags) & l->has_lines && lines < end)
		m->head[DT_JAVA_LINES] = capture(code->table + DT_JAVA_CLASS_BYTES, MAX_LINES, end - lines, lines);
	bpf_probe_read_kernel(code->head, DT_JAVA_WORDS * 8, m->head);
	key = m->key; /* copied to the stack, because verifiers before 6.2 do not accept keys in memory of a caller */
	bpf_map_update_elem(&interpreter_codes, &key, &position, 0);
	return position;
}

/* Reads the parts of the method that lead to its name. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 read_method(struct search *s, dt_u64 method)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	struct dt_mixed *m = s->m;
	struct dt_code_cache_walk *c = &m->cache;
	dt_u64 constants, source = 0;

	if (!method || method & 7 || read_memory(c->method, sizeof(c->method), method) ||
	    read_memory(c->constant, sizeof(c->constant), METHOD_WORD(c, l->constant)))
		return DT_UNNAMED_UNREADABLE;
	constants = CONSTANT_WORD(c, l->constants);
	if (read_memory(c->constants, sizeof(c->constants), constants))
		return DT_UNNAMED_UNREADABLE;
	c->holder = CONSTANTS_WORD(c, l->holder);
	c->file = 0;
	if (read_memory(&c->class_name, 8, c->holder + l->class_name) ||
	    java_text(s, constants, (dt_u16)CONSTANT_WORD(c, l->name_index), &c->name))
		return DT_UNNAMED_BUILD;
	if (l->class_source_index)
		read_memory(&source, 2, c->holder + l->class_source_index);
	else
		source = (dt_u16)CONSTANTS_WORD(c, l->source_index);
	if (source && java_text(s, constants, source, &c->file))
		return DT_UNNAMED_BUILD;
	m->key.code = method;
	m->key.process = m->walk.process;
	m->key.kind = s->of->kind;
	m->key.digest = mixed_digest(METHOD_WORD(c, l->constant), c->constant[1]);
	m->key.digest = mixed_digest(m->key.digest, c->constant[3] ^ c->constant[4] * 3);
	m->key.digest = mixed_digest(m->key.digest, c->constant[5] ^ c->holder * 3);
	m->head[DT_JAVA_FORM] = METHOD_WORD(c, l->access) & IS_NATIVE ? DT_JAVA_NATIVE : DT_JAVA_IN_JAVA;
	m->head[DT_JAVA_NAME] = digest_java_text(s, c->name);
	m->head[DT_JAVA_CLASS] = digest_java_text(s, c->class_name);
	m->head[DT_JAVA_FILE] = c->file ? digest_java_text(s, c->file) : 0;
	return m->head[DT_JAVA_NAME] && m->head[DT_JAVA_CLASS] ? 0 : DT_UNNAMED_BUILD;
}

/* Returns the word for the method c->found at position c->found_at of its bytecodes. */
DT_INLINE dt_u64 java_word(struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 method = m->cache.found, reason = read_method(s, method);
	dt_s64 at = (dt_s64)m->cache.found_at;
	struct dt_code_key key;
	const dt_u32 *known;
	dt_u32 position;

	if (reason)
		return java_reason(s, reason);
	if (at >= (dt_s64)(dt_u16)CONSTANT_WORD(&m->cache, s->of->cache.code_size))
		at = DT_JAVA_NO_PLACE;
	key = m->key;
	known = bpf_map_lookup_elem(&interpreter_codes, &key);
	position = known ? *known : 0;
	if (!position) {
		if (!is_method_of_class(s, method))
			return java_reason(s, DT_UNNAMED_BUILD);
		position = keep_java_method(s);
	}
	return position ? DT_INTERPRETER_WORD(position, at) : java_reason(s, DT_UNNAMED_ROOM);
}

/* Finds the method of a frame of the interpreter. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_interpreted(struct search *s, dt_u64 fp, dt_u64 at, dt_u64 is_interrupted)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 bcp = c->instruction, start = 0;

	if (read_memory(&c->found, 8, fp - JAVA_METHOD_BELOW) || (at && read_memory(&bcp, 8, fp - JAVA_BCP_BELOW)) ||
	    read_memory(&start, 8, c->found + l->constant))
		return DT_UNNAMED_UNREADABLE;
	bcp -= start + l->constant_size;
	c->found_at = is_interrupted || bcp >> 16 ? (dt_u64)(dt_s64)DT_JAVA_NO_PLACE : bcp;
	return 0;
}

/* Reads a compressed number that begins at byte `*at` of c->bytes, and moves `*at` behind the number. */
DT_INLINE dt_u64 compressed(const struct dt_code_cache_walk *c, dt_u64 *at, dt_u64 excluded)
{
	dt_u64 sum = 0, byte = 0;

#pragma unroll
	for (int i = 0; i < 5; i++) {
		if (*at >= 16)
			return 0;
		byte = c->bytes[*at >> 3 & 1] >> (*at & 7) * 8 & 0xff;
		*at += 1;
		sum += (byte - excluded) << i * 6;
		if (byte < 192)
			break;
	}
	return (dt_u32)sum;
}

/* Step of a binary search: determines one bit, from the highest on, of the number of return addresses before
 * c->offset. */
static long search_place(dt_u32 n, struct search *s)
{
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 next = c->place + (1ULL << ((MAX_PLACE_BITS - 1 - n) & 31));
	dt_u32 pc = 0;

	if (next <= c->array[1] && !read_memory(&pc, 4, c->array[0] + (next - 1) * PLACE_BYTES) &&
	    (dt_s64)(int)pc < (dt_s64)c->offset)
		c->place = next;
	return 0;
}

/* Sets c->scope to the innermost scope (method or inlined method) at the pc, or to 0 if there is none. Returns 0 or
 * a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_scope(struct search *s, dt_u64 blob, dt_u64 pc)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 list = blob, end = 0, first = 0, metadata = 0;

	c->scope = 0;
	if (read_memory(c->blob, sizeof(c->blob), blob))
		return DT_UNNAMED_UNREADABLE;
	c->offset = BLOB_WORD(c, l->code);
	if (l->flags & DT_CACHE_OFFSETS)
		c->offset = blob + (dt_u32)c->offset;
	c->offset = pc - c->offset;
	c->scopes = BLOB_WORD(c, l->scopes);
	if (l->immutable)
		list = BLOB_WORD(c, l->immutable);
	if (read_memory(&first, 4, blob + l->places) || read_memory(&end, 4, blob + l->places_end))
		return DT_UNNAMED_UNREADABLE;
	if (l->immutable) {
		if (read_memory(&c->scopes, 4, blob + l->scopes))
			return DT_UNNAMED_UNREADABLE;
		c->scopes = list + (dt_u32)c->scopes;
	}
	if (l->changing)
		c->metadata = BLOB_WORD(c, l->changing) + (((dt_u32)BLOB_WORD(c, l->relocations) + 7) & ~7ULL);
	else if (read_memory(&metadata, 4, blob + l->metadata))
		return DT_UNNAMED_UNREADABLE;
	else
		c->metadata = blob + metadata;
	c->array[0] = list + first;
	c->array[1] = (end - first) / PLACE_BYTES;
	c->place = 0;
	if (end < first || c->array[1] >> MAX_PLACE_BITS)
		return DT_UNNAMED_BUILD;
	bpf_loop(MAX_PLACE_BITS, search_place, s, 0);
	if (c->place >= c->array[1])
		return 0;
	end = c->place;
	if (read_memory(&c->array[2], 8, c->array[0] + end * PLACE_BYTES))
		return DT_UNNAMED_UNREADABLE;
	c->scope = c->array[2] >> 32;
	return 0;
}

/* Finds the method of c->scope, and moves c->scope to the scope into which it was inlined. Returns 0 or a reason
 * (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_in_scope(struct search *s)
{
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 at = 0, scope = c->scope, number, excluded = s->of->cache.flags & DT_CACHE_EXCLUDES_0 ? 1 : 0;

	c->scope = 0;
	if (read_memory(c->bytes, sizeof(c->bytes), c->scopes + scope))
		return DT_UNNAMED_UNREADABLE;
	c->scope = compressed(c, &at, excluded);
	number = compressed(c, &at, excluded);
	c->found_at = (dt_s64)(int)(dt_u32)compressed(c, &at, excluded) - 1;
	if (c->scope >= scope) /* a scope is stored after the one into which it was inlined */
		c->scope = 0;
	return !number || read_memory(&c->found, 8, c->metadata + (number - 1) * 8) ? DT_UNNAMED_BUILD : 0;
}

/* returns whether the blob is the compiled code of a method */
DT_INLINE dt_u64 is_compiled_method(struct search *s, dt_u64 blob)
{
	const struct dt_code_cache_layout *l = &s->of->cache;
	dt_u64 name = 0;

	if (l->flags & DT_CACHE_HAS_KINDS)
		return !read_memory(&name, 1, blob + l->kind) && name == l->kind_of_method;
	return !read_memory(&name, 8, blob + l->name) && !read_memory(&name, 8, name) &&
	       (name == 0x00646f6874656d6e /* nmethod */ || name == 0x6e2065766974616e /* native n */);
}

/* Finds the method of a frame of compiled code; with inlined methods, the innermost one. Returns 0 or a reason
 * (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_compiled(struct search *s, dt_u64 blob, dt_u64 pc)
{
	struct dt_code_cache_walk *c = &s->m->cache;
	dt_u64 reason = find_scope(s, blob, pc);

	c->found_at = (dt_u64)(dt_s64)DT_JAVA_NO_PLACE;
	if (reason || c->scope)
		return reason;
	return read_memory(&c->found, 8, blob + s->of->cache.method) ? DT_UNNAMED_UNREADABLE : 0;
}

/* Adds the next native frame to the result, if it is to be shown. Sets m->cache.kept to the frame's kind and other
 * bits. Returns not 0 if the stack ends. */
DT_INLINE long put_native(struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 at = m->at, word, kind, before = m->cache.kept;

	m->cache.kept = 0;
	if (at >= DT_UNWIND_FRAMES || at * 8 >= m->walk.bytes)
		return 1;
	m->at = at + 1;
	word = m->walk.frames[at & (DT_UNWIND_FRAMES - 1)];
	if (at >= m->walk.count) /* a mark */
		return put(m, word);
	m->cache.kept = m->frame_pointers[at & (DT_UNWIND_FRAMES - 1)];
	kind = m->cache.kept & DT_CACHE_BITS;
	/* If the build of the runtime is unknown, its code cache is unknown too. Code that is in no file then counts as
	 * code of the cache. */
	if (s->of->flags & DT_UNKNOWN_BUILD && kind == DT_IN_NO_FILE && (before & DT_CACHE_BITS) != DT_IN_NO_FILE &&
	    put(m, java_reason(s, DT_UNNAMED_BUILD)))
		return 1;
	if (kind <= DT_IN_NO_FILE)
		return (m->shows_own || !m->loops || !is_in(s->of->own, native_pc(m, at))) && put(m, word);
	if (kind == DT_CACHE_STUB && m->cache.kept & DT_CACHE_MOVED && put(m, java_reason(s, DT_UNNAMED_MOVED)))
		return 1;
	return (m->shows_own && put(m, word)) ||
	       ((kind == DT_CACHE_BEGINS || kind == DT_CACHE_BETWEEN) && put(m, java_reason(s, DT_UNNAMED_BEGINS)));
}

/* Adds the next word of a stack with frames of a code cache to the result. */
static long put_java(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_code_cache_walk *c = &m->cache;
	dt_u64 reason = 0, at = m->at, kind, kept;

	if (!c->scope) {
		if (put_native(s))
			return 1;
		kind = c->kept & DT_CACHE_BITS;
		kept = c->kept & ~(dt_u64)DT_CACHE_BITS;
		if (kind != DT_CACHE_INTERPRETED && kind != DT_CACHE_INTERRUPTED && kind != DT_CACHE_COMPILED)
			return 0;
		if (kind == DT_CACHE_COMPILED && !is_compiled_method(s, kept))
			return 0;
		if (kind == DT_CACHE_COMPILED)
			reason = find_compiled(s, kept, m->walk.frames[at & (DT_UNWIND_FRAMES - 1)]);
		else
			reason = find_interpreted(s, kept, at, kind == DT_CACHE_INTERRUPTED);
	}
	if (!reason && c->scope)
		reason = find_in_scope(s);
	return put(m, reason ? java_reason(s, reason) : java_word(s));
}

/* adds the number of frames of the code cache to `loops` */
static long count_cached(dt_u32 n, struct search *s)
{
	if (n >= s->m->walk.count || n >= DT_UNWIND_FRAMES)
		return 1;
	s->m->loops += (s->m->frame_pointers[n & (DT_UNWIND_FRAMES - 1)] & DT_CACHE_BITS) > DT_IN_NO_FILE;
	return 0;
}

DT_INLINE dt_u64 put_java_frames(struct search *s)
{
	struct dt_mixed *m = s->m;

	m->cache.scope = m->cache.kept = 0;
	bpf_loop(DT_UNWIND_FRAMES, count_cached, s, 0);
	bpf_loop(4 * DT_UNWIND_FRAMES, put_java, s, 0);
	m->bytes = m->count * 8;
	return DT_UNKNOWN(m->bytes);
}

#endif
