// Checks SQLite's pages before a server uses them. A large file is checked by a separate process, which may continue while it serves.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SqliteFault } from './fault.ts'

/** Up to this size a check takes less time than starting a process. */
const CHECKED_AT_ONCE_BYTES = 16 * 1024 * 1024
/** How long a start waits for the check of a large file, counted from where it begins. */
const PATIENCE_MILLISECONDS = 250
const MAX_COMPLAINTS = 20

/** The message for the operator when the database cannot be used. */
export const malformed = (path: string, message: string, cause?: unknown): SqliteFault =>
  new SqliteFault('malformed', `The database ${path} is malformed (${message}): restore from a backup`, { cause })

/** The page errors that SQLite reports; empty when there are none. `quick_check` does not check the content of indexes. */
export function listErrors(path: string, check: 'quick_check' | 'integrity_check'): string[] {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    const rows = db.prepare(`pragma ${check}(${MAX_COMPLAINTS})`).all()
    const errors = rows.map((row) => String(Object.values(row)[0])).filter((message) => message !== 'ok')
    return errors.map((message) => message.replaceAll(/\s*\n\s*/g, ' '))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    db.close()
  }
}

/**
 * Checks the database at `path`. Throws when a small one is malformed. A large one is checked by another process while the start
 * continues: the returned function waits for it for a bounded time, and rejects when it is malformed; `condemn` is called in any
 * case.
 */
export function checkAtStart(path: string, condemn: (error: Error) => void): () => Promise<void> {
  if (statSync(path).size <= CHECKED_AT_ONCE_BYTES) {
    const [message] = listErrors(path, 'quick_check')
    if (message) throw malformed(path, message)
    return async () => {}
  }
  const until = performance.now() + PATIENCE_MILLISECONDS
  const checking = errorOfProcess(path).then((message) => {
    if (!message) return undefined
    const error = malformed(path, message)
    condemn(error)
    return error
  })
  return async () => {
    const patience = new AbortController()
    const left = Math.max(0, until - performance.now())
    const late = setTimeout(left, undefined, { signal: patience.signal }).catch(() => undefined)
    const error = await Promise.race([checking, late])
    patience.abort()
    if (error) throw error
  }
}

/** The first error found by a check in a separate process, which does not keep this process running. */
function errorOfProcess(path: string): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), path], { stdio: ['ignore', 'pipe', 'ignore'] })
  giveWay(child.pid)
  child.unref()
  const output = child.stdout
  if (output instanceof Socket) output.unref()
  return new Promise((resolve) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    // A check that could not run says nothing about the database.
    child.once('error', () => resolve(''))
    child.once('close', () => resolve(text.trim().split('\n')[0] ?? ''))
  })
}

/** On a single core the check would take half of the start's CPU time. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has already exited, or the system has no priorities.
  }
}

const [, , path] = process.argv
if (import.meta.main && path !== undefined) {
  for (const message of listErrors(path, 'quick_check')) console.log(message)
}
