// Runs the real server with the recording shim and people at work, twice on the same folder, and returns what was recorded.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startServer } from '../test/server.ts'
import { type Call, Disk, type Files, readRecording } from './disk.ts'
import { type Acknowledged, work } from './work.ts'

/** Until every mail of the last writes has gone out. */
const LAST_MAILS_MILLISECONDS = 3_000

export interface Recorded {
  calls: readonly Call[]
  /** The inode of the folder that holds everything. */
  rootInode: number
  acknowledged: readonly Acknowledged[]
  /** The files at the end, as they really are. */
  files: Files
}

/** Why nothing can be recorded here; undefined where it can be. */
export function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'it records by LD_PRELOAD, which is Linux'
  if (spawnSync('cc', ['--version']).error) return 'it needs a C compiler (cc) for the library that records'
  return undefined
}

/** Makes the library of a C file, for LD_PRELOAD. */
export function compileLibrary(source: string, library: string): void {
  const compiled = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'])
  if (compiled.status !== 0) throw new Error(`cc cannot compile ${source}: ${compiled.stderr}`)
}

/** Below `folder`, which is empty; each of the two runs of the server does `rounds`. */
export async function record(folder: string, rounds: number): Promise<Recorded> {
  const [root, library, recording] = [join(folder, 'root'), join(folder, 'shim.so'), join(folder, 'recording')]
  mkdirSync(root)
  compileLibrary(join(import.meta.dirname, 'shim.c'), library)
  const rootInode = statSync(root).ino
  const settings = { DATA_DIR: join(root, 'new', 'data'), LD_PRELOAD: library, LOG_LEVEL: 'silent' }
  const acknowledged: Acknowledged[] = []
  for (const run of [1, 2]) {
    const server = await startServer({ ...settings, POWERCUT_ROOT: root, POWERCUT_LOG: recording })
    try {
      acknowledged.push(...(await work(server.url, recording, { run, rounds })))
      await setTimeout(LAST_MAILS_MILLISECONDS)
    } finally {
      await server.end(run === 1 ? 'SIGKILL' : 'SIGTERM')
    }
  }
  const recorded = { calls: readRecording(recording), rootInode, acknowledged, files: filesBelow(root) }
  assertComplete(recorded)
  return recorded
}

/** What was recorded must give the files that are really there: otherwise a call was missed. */
function assertComplete({ calls, rootInode, files }: Recorded): void {
  const disk = new Disk(rootInode)
  for (const call of calls) disk.apply(call)
  const replayed = disk.files()
  const names = new Set([...files.keys(), ...replayed.keys()])
  const differing = [...names].filter((name) => {
    const [real, model] = [files.get(name), replayed.get(name)]
    return !isShared(name) && !(real && model?.equals(real))
  })
  if (differing.length > 0) throw new Error(`The recording is not complete: ${differing.join(', ')}`)
}

/** SQLite's shared memory is made again after a power cut, and written without a call. */
export const isShared = (name: string): boolean => name.endsWith('-shm')

function filesBelow(root: string): Files {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(paths.map((path) => [`/${relative(root, path)}`, readFileSync(path)]))
}
