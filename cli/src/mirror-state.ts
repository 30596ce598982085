// What a copy of a server knows of itself.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SeenLog } from '../../client/src/verify.ts'
import type { LogState } from './mirror-log.ts'
import { RefusedError } from './usage.ts'

export const STATE = 'mirror.json'

export interface State {
  server: string
  log: LogState | undefined
  /** What was seen of the log, for the proofs. */
  seen: SeenLog | undefined
  /** The index of the last entry that was followed. */
  after: number
}

/** The state of a copy; ENOENT where there is none. */
export async function readCopyState(folder: string): Promise<State> {
  const text = await readFile(join(folder, STATE), 'utf8')
  try {
    return JSON.parse(text) as State
  } catch (error) {
    throw new RefusedError('broken', `${join(folder, STATE)} cannot be read: ${(error as Error).message}`)
  }
}
