// Records what a process does to the files below POWERCUT_ROOT, as one line of text for each call, with the bytes of a write after it
// (disk.ts reads it). Loaded by LD_PRELOAD, so that the calls of Node and of the SQLite in it are seen alike. An fsync takes two
// milliseconds and reaches no disk: what it covers is what was recorded when it began, and it is done when its end is recorded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int log_file = -1;
static long syncs;

#define REAL(result, name, ...) \
  static result (*real_##name)(__VA_ARGS__); \
  if (!real_##name) real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
  const char *folder = getenv("POWERCUT_ROOT"), *log = getenv("POWERCUT_LOG");
  if (!folder || !log || !realpath(folder, root)) return;
  root_length = strlen(root);
  log_file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void append(const void *bytes, size_t length) {
  for (size_t at = 0; at < length;) {
    long written = syscall(SYS_write, log_file, (const char *)bytes + at, length - at);
    if (written < 0 && errno != EINTR) abort();
    if (written > 0) at += written;
  }
}

__attribute__((format(printf, 1, 2))) static void record(const char *format, ...) {
  char line[3 * PATH_MAX];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  append(line, length);
}

static int is_inside(const char *path) {
  return log_file >= 0 && strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

// The path of a call: absolute, or below the working directory. Guildhall's paths have no links and no dots.
static const char *inside(const char *path, char *whole) {
  if (log_file < 0 || !path) return NULL;
  if (path[0] == '/') snprintf(whole, PATH_MAX, "%s", path);
  else {
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here) || snprintf(whole, PATH_MAX, "%s/%s", here, path) >= PATH_MAX) return NULL;
  }
  return is_inside(whole) ? whole + root_length : NULL;
}

// The inode of an open file below the root; 0 for any other.
static unsigned long inode_of(int fd) {
  char link[64], path[PATH_MAX];
  if (log_file < 0 || fd == log_file) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  struct stat found;
  return is_inside(path) && fstat(fd, &found) == 0 ? found.st_ino : 0;
}

static void record_write(unsigned long inode, long long offset, const struct iovec *parts, int count, size_t length) {
  record("write %lu %lld %zu\n", inode, offset, length);
  for (int part = 0; part < count && length > 0; part++) {
    size_t size = parts[part].iov_len < length ? parts[part].iov_len : length;
    append(parts[part].iov_base, size);
    length -= size;
  }
}

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  const char *name = flags & (O_CREAT | O_TRUNC) ? inside(path, whole) : NULL;
  if (!name) return real(path, flags, mode);
  pthread_mutex_lock(&lock);
  int is_new = access(path, F_OK) != 0, fd = real(path, flags, mode), error = errno;
  if (fd >= 0 && is_new) record("create %lu %s\n", inode_of(fd), name);
  else if (fd >= 0 && flags & O_TRUNC) record("truncate %lu 0\n", inode_of(fd));
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list values; \
    va_start(values, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(values, mode_t) : 0; \
    va_end(values); \
    return opened(real_##name, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

// A call that writes: done and recorded in one step, so that the order of the records is that of the writes.
#define WRITES(offset_before, parts, count, call) \
  unsigned long inode = inode_of(fd); \
  if (!inode) return call; \
  pthread_mutex_lock(&lock); \
  long long start = offset_before; \
  ssize_t written = call; \
  int error = errno; \
  if (written > 0) record_write(inode, start, parts, count, written); \
  pthread_mutex_unlock(&lock); \
  errno = error; \
  return written

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  struct iovec part = {(void *)bytes, length};
  WRITES(lseek(fd, 0, SEEK_CUR), &part, 1, real_write(fd, bytes, length));
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  WRITES(lseek(fd, 0, SEEK_CUR), parts, count, real_writev(fd, parts, count));
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  struct iovec part = {(void *)bytes, length};
  WRITES(offset, &part, 1, real_pwrite64(fd, bytes, length, offset));
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
  WRITES(offset, parts, count, real_pwritev(fd, parts, count, offset));
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return pwritev(fd, parts, count, offset); }

int ftruncate64(int fd, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  unsigned long inode = inode_of(fd);
  if (!inode) return real_ftruncate64(fd, size);
  pthread_mutex_lock(&lock);
  int result = real_ftruncate64(fd, size);
  if (result == 0) record("truncate %lu %lld\n", inode, (long long)size);
  pthread_mutex_unlock(&lock);
  return result;
}

static int sync_file(int (*real)(int), int fd) {
  unsigned long inode = inode_of(fd);
  if (!inode) return real(fd);
  pthread_mutex_lock(&lock);
  long begun = syncs++;
  record("sync %lu %d-%ld\n", inode, getpid(), begun);
  pthread_mutex_unlock(&lock);
  usleep(2000);
  pthread_mutex_lock(&lock);
  record("synced %d-%ld\n", getpid(), begun);
  pthread_mutex_unlock(&lock);
  return 0;
}
int fsync(int fd) {
  REAL(int, fsync, int);
  return sync_file(real_fsync, fd);
}
int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  return sync_file(real_fdatasync, fd);
}

// A call that changes names, recorded when it has succeeded and its path is below the root.
#define NAMES(path, call, ...) \
  char whole[PATH_MAX]; \
  const char *name = inside(path, whole); \
  if (!name) return call; \
  pthread_mutex_lock(&lock); \
  int result = call, error = errno; \
  if (result == 0) record(__VA_ARGS__); \
  pthread_mutex_unlock(&lock); \
  errno = error; \
  return result

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  NAMES(path, real_unlink(path), "remove %s\n", name);
}
int rmdir(const char *path) {
  REAL(int, rmdir, const char *);
  NAMES(path, real_rmdir(path), "remove %s\n", name);
}
int remove(const char *path) {
  REAL(int, remove, const char *);
  NAMES(path, real_remove(path), "remove %s\n", name);
}
static unsigned long inode_at(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 ? found.st_ino : 0;
}
int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  NAMES(path, real_mkdir(path, mode), "folder %lu %s\n", inode_at(path), name);
}
int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  char target[PATH_MAX];
  const char *after = inside(to, target);
  NAMES(from, real_rename(from, to), "rename %s\n%s\n", name, after ? after : "");
}
int link(const char *from, const char *to) {
  REAL(int, link, const char *, const char *);
  char target[PATH_MAX];
  const char *after = inside(to, target);
  NAMES(from, real_link(from, to), "link %s\n%s\n", name, after ? after : "");
}
