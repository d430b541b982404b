#define _GNU_SOURCE
#include "waiting.h"

#include <dirent.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/timerfd.h>

// A timer that can be read from at the moment, and whenever somebody sets the clock.
static int timer_at(long long moment) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -1;
  struct itimerspec until = {.it_value = {.tv_sec = (time_t)moment}};
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &until, NULL) == 0) return timer;
  close(timer);
  return -1;
}
#else
static int timer_at(long long moment) {
  (void)moment;
  return -1;
}
#endif

int settings_wait_until(long long moment, int descriptor) {
  while (time(NULL) < moment) {
    // Set anew each time: a timer whose clock was set is no longer one for the moment.
    int timer = timer_at(moment);
    struct pollfd files[] = {{.fd = descriptor, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
    int ready = poll(files, 2, timer < 0 ? 1000 : -1);
    if (timer >= 0) close(timer);
    if (ready > 0 && files[0].revents != 0) return 1;
  }
  return 0;
}

void settings_close_from(int first) {
#ifdef __linux__
  const char *place = "/proc/self/fd";
#else
  const char *place = "/dev/fd";
#endif
  DIR *folder = opendir(place);
  if (folder == NULL) {
    for (int file = first; file < 1024; file++) close(file);
    return;
  }
  int found[1024];
  int count = 0;
  struct dirent *entry;
  while ((entry = readdir(folder)) != NULL && count < 1024) {
    int file = atoi(entry->d_name);
    if (file >= first && file != dirfd(folder)) found[count++] = file;
  }
  closedir(folder);
  for (int index = 0; index < count; index++) close(found[index]);
}
