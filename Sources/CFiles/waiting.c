#define _GNU_SOURCE
#include "waiting.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/timerfd.h>

// Returns at the moment, and whenever somebody sets the clock; whether it could wait at all.
static int wait_for_timer(long long moment) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
  if (timer < 0) return 0;
  struct itimerspec until = {.it_value = {.tv_sec = (time_t)moment}};
  uint64_t count;
  int set = timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &until, NULL);
  // It fails with ECANCELED when the clock is set, and with EINTR; either way the clock is looked at again.
  if (set == 0 && read(timer, &count, sizeof count) < 0) (void)count;
  close(timer);
  return set == 0;
}
#else
static int wait_for_timer(long long moment) {
  (void)moment;
  return 0;
}
#endif

void settings_wait_until(long long moment) {
  while (time(NULL) < moment) {
    if (wait_for_timer(moment)) continue;
    long long left = moment - time(NULL);
    sleep(left > 5 ? 5 : left > 0 ? (unsigned)left : 0);
  }
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
