// A disk for tests that fails when it is told to, as Linux does: what an fsync could not write is dropped, and the next fsync
// knows nothing of it.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

interface Synced {
  path: string
  bytes: Buffer
}

export interface ModelDisk {
  /** How many fsyncs there were since it was opened. */
  count(): number
  /** How many of them belonged to a checkpoint: those of the database file. */
  ofDatabase(): number
  /** Whether the fsync that should fail has failed. */
  hasFailed(): boolean
  /** Writes what would be left after a power cut to this folder. */
  powerCut(folder: string): void
  /** Every fsync works again. */
  restore(): void
}

const failure = () => Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' })

/** The bytes of a file, in the memory of `known` where they fit. */
function contents(fd: number, known: Buffer): Buffer {
  const { size } = fs.fstatSync(fd)
  const bytes =
    size <= known.buffer.byteLength - known.byteOffset
      ? Buffer.from(known.buffer, known.byteOffset, size)
      : Buffer.allocUnsafeSlow(2 * size).subarray(0, size)
  let at = 0
  while (at < bytes.length) {
    const read = fs.readSync(fd, bytes, at, bytes.length - at, at)
    if (read === 0) break
    at += read
  }
  return bytes
}

/** The bytes of the last sync again, and nothing where there was none: the file keeps its length. */
function drop(fd: number, synced: Buffer): void {
  const { size } = fs.fstatSync(fd)
  const bytes = Buffer.alloc(size)
  synced.copy(bytes, 0, 0, Math.min(size, synced.length))
  fs.writeSync(fd, bytes, 0, size, 0)
}

/**
 * From now on the database at `path` is on this disk; what it holds by now is on it. The fsync of the number `failing`, from 0,
 * fails: of all, or of those of the database file.
 */
export function modelDisk(t: TestContext, path: string, failing: { all: number } | { ofDatabase: number }): ModelDisk {
  const disk = new Map<number, Synced>()
  for (const name of [path, `${path}-wal`]) {
    if (!fs.existsSync(name)) continue
    disk.set(fs.statSync(name).ino, { path: name, bytes: fs.readFileSync(name) })
  }
  const counted = { all: 0, ofDatabase: 0 }
  let failed = false
  const sync = (fd: number) => {
    const { ino } = fs.fstatSync(fd)
    const name = [path, `${path}-wal`].find((name) => fs.existsSync(name) && fs.statSync(name).ino === ino)
    if (!name) return
    const known = disk.get(ino) ?? { path: name, bytes: Buffer.alloc(0) }
    const isDatabase = name === path
    const isIt =
      'all' in failing ? counted.all === failing.all : isDatabase && counted.ofDatabase === failing.ofDatabase
    counted.all++
    if (isDatabase) counted.ofDatabase++
    if (isIt) {
      failed = true
      drop(fd, known.bytes)
      throw failure()
    }
    disk.set(ino, { path: name, bytes: contents(fd, known.bytes) })
  }
  const fsyncSync = t.mock.method(fs, 'fsyncSync', (fd: number) => sync(fd))
  const fsync = t.mock.method(fs, 'fsync', (fd: number, done: (error: Error | null) => void) => {
    try {
      sync(fd)
      setImmediate(done, null)
    } catch (error) {
      setImmediate(done, error as Error)
    }
  })
  syncBuiltinESMExports()
  return {
    count: () => counted.all,
    ofDatabase: () => counted.ofDatabase,
    hasFailed: () => failed,
    powerCut(folder) {
      for (const { path: name, bytes } of disk.values()) fs.writeFileSync(`${folder}/${name.split('/').at(-1)}`, bytes)
    },
    restore() {
      fsyncSync.mock.restore()
      fsync.mock.restore()
      syncBuiltinESMExports()
    },
  }
}
