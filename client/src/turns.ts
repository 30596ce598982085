// Processes that take turns, by a file that one of them makes.
import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** A lock that is older was left by a process that is gone: a turn takes at most half of it. */
const STALE_MILLISECONDS = 60_000
const TURN_MILLISECONDS = 50

export const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code

/** Runs `body` while no other process does that names the same lock. Its folder must exist, and `body` takes less than half a minute. */
export async function takingTurns<T>(lock: string, body: () => Promise<T>): Promise<T> {
  await acquire(lock)
  try {
    return await body()
  } finally {
    await rm(lock, { force: true })
  }
}

/** Waits for the lock and takes it. Two that take a stale one at once both run: what they do must be right then too. */
async function acquire(lock: string): Promise<void> {
  for (;;) {
    try {
      return await (await open(lock, 'wx', 0o600)).close()
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const taken = await stat(lock).catch(() => undefined)
    if (taken && Date.now() - taken.mtimeMs > STALE_MILLISECONDS) await rm(lock, { force: true })
    else await wait(TURN_MILLISECONDS)
  }
}
