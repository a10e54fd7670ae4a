// A program in which `planted hot` spends some of its time in a function that `planted cold` does
// not have: what a profile is to find.

#include <cstdio>
#include <string_view>

namespace {

[[gnu::noinline]] unsigned usual(unsigned value) {
  for (int i = 0; i < 1000; ++i)
    value = value * 1664525U + 1013904223U;
  return value;
}

[[gnu::noinline]] unsigned planted(unsigned value) {
  for (int i = 0; i < 300; ++i)
    value = value * 22695477U + 1U;
  return value;
}

} // namespace

int main(int count, char** words) {
  const bool hot = count > 1 && std::string_view(words[1]) == "hot";
  unsigned value = 1;
  for (int i = 0; i < 60'000; ++i) {
    value = usual(value);
    if (hot)
      value = planted(value);
  }
  std::printf("%u\n", value);
  return 0;
}
