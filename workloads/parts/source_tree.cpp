#include "workloads/parts/source_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace schedrig {

namespace {

constexpr int units_a_part = 10, functions_a_unit = 12, records_a_part = 3;

/// Knuth's MMIX generator; its upper bits.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  /// 0 to `below` - 1.
  int operator()(int below) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(below));
  }

private:
  std::uint64_t state_;
};

constexpr std::string_view makefile = R"(MAKEFLAGS += -rR
.RECIPEPREFIX = >
CC = gcc
CFLAGS = -O2 -I.
OBJECTS = $(patsubst %.c,%.o,$(sort $(wildcard part_*/*.c)))

program: $(OBJECTS)
>$(CC) -o $@ $(OBJECTS)

%.o: %.c
>$(CC) $(CFLAGS) -c -o $@ $<
)";

constexpr std::string_view common_header = R"(#ifndef COMMON_H
#define COMMON_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

struct node {
    struct node *next, *previous;
};

static inline void list_make(struct node *list)
{
    list->next = list;
    list->previous = list;
}

static inline void list_add(struct node *list, struct node *node)
{
    node->next = list->next;
    node->previous = list;
    list->next->previous = node;
    list->next = node;
}

static inline void list_remove(struct node *node)
{
    node->next->previous = node->previous;
    node->previous->next = node->next;
    list_make(node);
}

static inline u32 rotated(u32 value, u32 by)
{
    return value << (by & 31) | value >> (-by & 31);
}

static inline u64 mixed(u64 value, u64 with)
{
    value ^= with;
    value *= 0x9e3779b97f4a7c15ull;
    return value ^ value >> 29;
}

static inline u32 digest_of(const u8 *bytes, u32 count)
{
    u32 digest = 2166136261u;
    while (count-- > 0)
        digest = (digest ^ *bytes++) * 16777619u;
    return digest;
}

#endif
)";

/// What stands in the patterns below: @n the function's name, @r a record, @f and @g two of its
/// fields, @c a constant, @b a number of bits, @x a function elsewhere, @p the part, @k a number
/// from 2 to 9.
constexpr std::string_view record_pattern = R"(struct @r {
    struct node node;
    u32 f0, f1, f2, f3, f4, f5, f6, f7;
    enum part_@p_state state;
    u64 sum;
    u8 bytes[@k * 16];
    struct @r *parent;
};

static inline u64 @r_weight(const struct @r *record)
{
    u64 weight = record->@f * @cull + record->@g;
    if (record->parent)
        weight += record->parent->@f >> @b;
    return record->state == PART_@p_DONE ? weight : mixed(weight, record->sum);
}

static inline void @r_take(struct @r *record, const u8 *bytes, u32 count)
{
    u32 i;
    for (i = 0; i < LEAST(count, ARRAY_SIZE(record->bytes)); ++i)
        record->bytes[i] ^= bytes[i];
    record->sum = mixed(record->sum, digest_of(record->bytes, ARRAY_SIZE(record->bytes)));
    record->@f += count;
}

)";

constexpr std::array<std::string_view, 6> function_patterns{
    R"(u64 @n(struct node *list, const u8 *bytes, u32 count)
{
    u64 total = @c;
    struct node *at, *next;
    for (at = list->next; at != list; at = next) {
        struct @r *record = (struct @r *)at;
        next = at->next;
        total += @r_weight(record);
        if (record->@f > @c && record->@g < count) {
            record->state = PART_@p_BUSY;
            @r_take(record, bytes, count);
            total = mixed(total, record->sum);
        } else if (record->@g % @k == 0) {
            list_remove(at);
            list_add(list, at);
            record->@f = rotated(record->@f, @b);
        } else {
            record->@g -= (u32)(total >> @b);
        }
    }
    return total;
}
)",
    R"(u64 @n(struct node *list, const u8 *bytes, u32 count)
{
    enum { START, NAME, NUMBER, QUOTED, REMARK, END } state = START;
    u64 total = 0;
    u32 i, depth = 0, number = 0;
    for (i = 0; i < count && state != END; ++i) {
        const u8 byte = bytes[i];
        switch (state) {
        case START:
            if (byte >= '0' && byte <= '9')
                state = NUMBER, number = byte - '0';
            else if (byte == '"')
                state = QUOTED;
            else if (byte == '#')
                state = REMARK;
            else if (byte == '{')
                ++depth;
            else if (byte == '}' && depth-- == 0)
                state = END;
            else if ((byte | 32) >= 'a' && (byte | 32) <= 'z')
                state = NAME, number = byte;
            break;
        case NAME:
            if (byte == ' ' || byte == '\n')
                total = mixed(total, number), state = START;
            else
                number = number * @c + byte;
            break;
        case NUMBER:
            if (byte < '0' || byte > '9')
                total += number * depth, state = START;
            else
                number = number * 10 + byte - '0';
            break;
        case QUOTED:
            state = byte == '"' ? START : QUOTED;
            total += byte << @b % 8;
            break;
        case REMARK:
            state = byte == '\n' ? START : REMARK;
            break;
        default:
            return @x(list, bytes + i, count - i);
        }
    }
    return total + depth;
}
)",
    R"(u64 @n(struct node *list, const u8 *bytes, u32 count)
{
    u32 rows[@k + 4][16], columns[16] = {0};
    u32 i, j, k;
    u64 total = count;
    for (i = 0; i < ARRAY_SIZE(rows); ++i)
        for (j = 0; j < 16; ++j)
            rows[i][j] = bytes[(i * 16 + j) % (count | 1)] * @c + i;
    for (k = 0; k < @k; ++k)
        for (i = 1; i < ARRAY_SIZE(rows); ++i)
            for (j = 1; j < 15; ++j) {
                rows[i][j] += rows[i - 1][j - 1] - rows[i - 1][j + 1];
                columns[j] = MOST(columns[j], rows[i][j] >> @b % 16);
            }
    for (j = 0; j < 16; ++j)
        total = mixed(total, columns[j]);
    return list->next == list ? total : total ^ @x(list, bytes, count / 2);
}
)",
    R"(static int @n_before(const struct @r *a, const struct @r *b)
{
    if (a->@f != b->@f)
        return a->@f < b->@f;
    if (a->state != b->state)
        return a->state > b->state;
    return @r_weight(a) < @r_weight(b);
}

u64 @n(struct node *list, const u8 *bytes, u32 count)
{
    struct @r *sorted[@k * 8];
    struct node *at;
    u32 size = 0, i;
    u64 total = @c;
    for (at = list->next; at != list && size < ARRAY_SIZE(sorted); at = at->next) {
        struct @r *record = (struct @r *)at;
        for (i = size++; i > 0 && @n_before(record, sorted[i - 1]); --i)
            sorted[i] = sorted[i - 1];
        sorted[i] = record;
    }
    for (i = 0; i < size; ++i) {
        sorted[i]->@g = i;
        sorted[i]->parent = i ? sorted[(i - 1) / 2] : 0;
        total = mixed(total, sorted[i]->sum + bytes[i % (count | 1)]);
    }
    return total;
}
)",
    R"(u64 @n(struct node *list, const u8 *bytes, u32 count)
{
    static const u32 table[] = {@c, @c, @c, @c, @c, @c, @c, @c, @c, @c, @c, @c, @c, @c, @c, @c};
    u32 a = @c, b = @c, c = @c, d = count, i;
    for (i = 0; i + 4 <= count; i += 4) {
        const u32 word = bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | (u32)bytes[i + 3] << 24;
        a += rotated(b ^ word, @b) + table[i / 4 % 16];
        b = rotated(b + (a & c), @b);
        c ^= d + rotated(a, @b);
        d = (d << @k) - (c | word);
        if ((d & 15) == @k)
            a ^= table[d >> 28];
    }
    while (i < count)
        d = d * 31 + bytes[i++];
    return mixed((u64)a << 32 | b, (u64)c << 32 | d) + (list->next != list);
}
)",
    R"(u64 @n(struct node *list, const u8 *bytes, u32 count)
{
    struct @r *record = (struct @r *)list->next;
    u64 total = digest_of(bytes, count);
    if (count < @k || list->next == list)
        return total;
    switch ((record->@f + total) % 6) {
    case 0:
        total += @x(list, bytes + 1, count - 1);
        break;
    case 1:
        total ^= @x(list, bytes, count / @k);
        record->state = PART_@p_READY;
        break;
    case 2:
        @r_take(record, bytes, count);
        total = mixed(total, @x(list, record->bytes, ARRAY_SIZE(record->bytes)));
        break;
    case 3:
        while (record->@g > @c)
            record->@g = record->@g / @k + (u32)(total & 7);
        break;
    case 4:
        total -= @r_weight(record);
        /* fall through */
    default:
        record->@f ^= (u32)total;
        return total + @x(list->next, bytes, count - 1);
    }
    return total;
}
)"};

/// Names that stand for one place of the tree.
struct Place {
  std::string function;  ///< @n
  int part;              ///< @p
  std::string record;    ///< @r
  std::string elsewhere; ///< @x
};

std::string filled(std::string_view pattern, const Place& place, Draw& draw) {
  const int field = draw(8); // the same all over the pattern, and never both the same
  const int other = (field + 1 + draw(7)) % 8;
  std::string text;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '@') {
      text += pattern[at];
      continue;
    }
    switch (pattern[++at]) {
    case 'n':
      text += place.function;
      break;
    case 'p':
      text += fmt::format("{:03}", place.part);
      break;
    case 'r':
      text += place.record;
      break;
    case 'x':
      text += place.elsewhere;
      break;
    case 'f':
      text += fmt::format("f{}", field);
      break;
    case 'g':
      text += fmt::format("f{}", other);
      break;
    case 'c':
      text += fmt::format("{}", 1 + draw(9'999));
      break;
    case 'b':
      text += fmt::format("{}", 1 + draw(31));
      break;
    case 'k':
      text += fmt::format("{}", 2 + draw(8));
      break;
    }
  }
  return text;
}

std::string function_name(int unit, int function) {
  return fmt::format("unit_{:04}_{}", unit, function);
}

std::string record_name(int part, int record) {
  return fmt::format("part_{:03}_record_{}", part, record);
}

class Tree {
public:
  explicit Tree(int units) : units_(units), parts_((units + units_a_part - 1) / units_a_part) {}

  std::vector<SourceFile> files() const {
    std::vector<SourceFile> files{{"Makefile", std::string(makefile)},
                                  {"common.h", std::string(common_header)}};
    for (int part = 0; part < parts_; ++part)
      files.push_back({header_name(part), header(part)});
    for (int unit = 0; unit < units_; ++unit)
      files.push_back(
          {fmt::format("part_{:03}/unit_{:04}.c", unit / units_a_part, unit), source(unit)});
    return files;
  }

private:
  static std::string header_name(int part) { return fmt::format("part_{:03}.h", part); }

  std::string header(int part) const {
    Draw draw(static_cast<std::uint64_t>(part) + 1'000'000);
    std::string text = fmt::format("#ifndef PART_{0:03}_H\n#define PART_{0:03}_H\n\n"
                                   "#include \"common.h\"\n\n"
                                   "enum part_{0:03}_state {{ PART_{0:03}_READY, PART_{0:03}_BUSY,"
                                   " PART_{0:03}_DONE }};\n\n",
                                   part);
    for (int record = 0; record < records_a_part; ++record)
      text += filled(record_pattern, {"", part, record_name(part, record), ""}, draw);
    for (int unit = part * units_a_part; unit < std::min((part + 1) * units_a_part, units_); ++unit)
      for (int function = 0; function < functions_a_unit; ++function)
        text += fmt::format("u64 {}(struct node *list, const u8 *bytes, u32 count);\n",
                            function_name(unit, function));
    return text + "\n#endif\n";
  }

  std::string source(int unit) const {
    Draw draw(static_cast<std::uint64_t>(unit));
    const std::array<int, 4> parts{unit / units_a_part, draw(parts_), draw(parts_), draw(parts_)};
    std::string text;
    for (const int part : parts)
      text += fmt::format("#include \"{}\"\n", header_name(part));
    for (int function = 0; function < functions_a_unit; ++function) {
      const int part = parts[static_cast<std::size_t>(draw(4))];
      const auto& pattern = function_patterns[static_cast<std::size_t>(
          draw(static_cast<int>(function_patterns.size())))];
      text += '\n' + filled(pattern,
                            {function_name(unit, function), part,
                             record_name(part, draw(records_a_part)), elsewhere(part, draw)},
                            draw);
    }
    if (unit == 0)
      text += "\nint main(void)\n{\n\tstruct node list;\n\tlist_make(&list);\n"
              "\treturn unit_0000_0(&list, (const u8 *)\"\", 0) == 1;\n}\n";
    return text;
  }

  /// A function of a unit of `part`.
  std::string elsewhere(int part, Draw& draw) const {
    const int first = part * units_a_part;
    return function_name(first + draw(std::min(units_a_part, units_ - first)),
                         draw(functions_a_unit));
  }

  int units_, parts_;
};

} // namespace

std::vector<SourceFile> source_tree(int units) {
  return Tree(units).files();
}

} // namespace schedrig
