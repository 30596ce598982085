// Tokens in a file that only its owner can read. Processes that share it take turns.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TokenStore, Tokens } from './tokens.ts'

/** A lock that is older was left by a process that is gone: a refresh takes at most half of it. */
const STALE_MILLISECONDS = 60_000
const TURN_MILLISECONDS = 50

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/** A store in the file at `path`; its folder is made if it is not there. */
export function fileTokens(path: string): TokenStore {
  return {
    async read() {
      try {
        return JSON.parse(await readFile(path, 'utf8')) as Tokens
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    async write(tokens) {
      if (!tokens) return rm(path, { force: true })
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await replace(path, `${JSON.stringify(tokens, null, 2)}\n`)
    },
    async lock(body) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const release = await acquire(`${path}.lock`)
      try {
        return await body()
      } finally {
        await release()
      }
    },
  }
}

/** The file has the old content or the new one, whatever happens, and never another mode than 0600. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Waits for the lock and takes it. If two take a stale one at once, both refresh: the server gives both the same answer. */
async function acquire(lock: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      return () => rm(lock, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const taken = await stat(lock).catch(() => undefined)
    if (taken && Date.now() - taken.mtimeMs > STALE_MILLISECONDS) await rm(lock, { force: true })
    else await wait(TURN_MILLISECONDS)
  }
}
