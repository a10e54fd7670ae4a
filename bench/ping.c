/* The pipe ping-pong as anybody would write it, to be run under taskset: the peer of `schedrig run pipe-ping-pong`. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int loops = argc > 1 ? atoi(argv[1]) : 100000, there[2], back[2], token = 0;
  struct timespec begin, end;
  if (pipe(there) || pipe(back)) return 1;
  if (fork() == 0) {
    for (int i = 0; i < loops; i++)
      if (read(there[0], &token, 4) != 4 || write(back[1], &token, 4) != 4) return 1;
    return 0;
  }
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < loops; i++)
    if (write(there[1], &token, 4) != 4 || read(back[0], &token, 4) != 4) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.1f\n", ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / loops);
  return 0;
}
