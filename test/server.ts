// A real server in a process of its own, for what only a process can show.
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratedFile } from './migrated-file.ts'

export interface TestServer {
  url: string
  process: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** Ends it with this signal and resolves with its exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Environment = Record<string, string>

/** An unused port. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** With the modules that were compiled before, as `npm start` has them (bin/node.js). */
export const plainEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_ENV: '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
}

/** Runs a program of src/ to its end. */
export function runProgram(args: string[], environment: Environment): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { env: { ...plainEnvironment, ...environment } })
  const output = collect(child)
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output: output() })))
}

/** Servers that were started, by their folder. */
const running = new Map<string, ChildProcess[]>()

/** Starts a server and waits until it is ready: of this version, or of the release in `folder`. A port that another test took meanwhile is not asked again. */
export async function startServer(environment: Environment, folder = '.', tries = 3): Promise<TestServer> {
  const port = environment['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: { ...plainEnvironment, PORT: port, RATE_LIMITS: 'off', ...environment },
  })
  const { DATA_DIR = '' } = environment
  running.set(DATA_DIR, [...(running.get(DATA_DIR) ?? []), child])
  const output = collect(child)
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) {
      const isTaken = environment['PORT'] === undefined && output().includes(`Port ${port} on 127.0.0.1 is in use`)
      if (isTaken && tries > 1) return startServer(environment, folder, tries - 1)
      throw new Error(`The server ended with ${child.exitCode}: ${output()}`)
    }
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    // It is ready a moment before it says where it is.
    if (ready?.ok && output().includes('Guildhall is at ')) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    url,
    process: child,
    output,
    end(signal) {
      child.kill(signal)
      return exited
    },
  }
}

function collect(child: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk.toString()
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text
}

/** A folder that is gone when `body` is done, and so is a server on it that a failed test left behind: it would keep the file of tests waiting. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-server-'))
  try {
    await body(folder)
  } finally {
    for (const child of running.get(folder) ?? []) child.kill('SIGKILL')
    running.delete(folder)
    await rm(folder, { recursive: true })
  }
}

/** A data folder with a migrated database and nothing else: all migrations take a third of a first start. */
export const withData = (body: (folder: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    await copyFile(await migratedFile(), join(folder, 'guildhall.db'))
    await body(folder)
  })
