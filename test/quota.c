// A quota that is used up while the file QUOTA_USED_UP exists: as in Linux, writes that make a file below QUOTA_FOLDER longer fail with EDQUOT, and
// all others go on. Loaded by LD_PRELOAD, so that the calls of Node and of the SQLite in it are seen alike.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(result, name, ...) \
  static result (*real_##name)(__VA_ARGS__); \
  if (!real_##name) real_##name = dlsym(RTLD_NEXT, #name)

static int is_refused(int fd, long long end) {
  const char *folder = getenv("QUOTA_FOLDER"), *used_up = getenv("QUOTA_USED_UP");
  if (!folder || !used_up || access(used_up, F_OK) != 0) return 0;
  char name[64], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  struct stat now;
  if (strncmp(path, folder, strlen(folder)) != 0 || fstat(fd, &now) != 0 || end <= now.st_size) return 0;
  errno = EDQUOT;
  return 1;
}

static size_t size_of(const struct iovec *parts, int count) {
  size_t size = 0;
  for (int part = 0; part < count; part++) size += parts[part].iov_len;
  return size;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  return is_refused(fd, lseek(fd, 0, SEEK_CUR) + length) ? -1 : real_write(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  return is_refused(fd, lseek(fd, 0, SEEK_CUR) + size_of(parts, count)) ? -1 : real_writev(fd, parts, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
  return is_refused(fd, offset + length) ? -1 : real_pwrite(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return pwrite(fd, bytes, length, offset); }

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
  return is_refused(fd, offset + size_of(parts, count)) ? -1 : real_pwritev(fd, parts, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return pwritev(fd, parts, count, offset); }
