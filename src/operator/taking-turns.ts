// Backups into one place, and the removal of pieces that no backup has: a backup that is being taken relies on pieces that only older
// backups have, and is in no list yet. Each says first that it runs, and then looks for the other, so that one of them sees it.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Repository } from './repository.ts'
import { nameOfTime } from './snapshot.ts'

const LOOK_MILLISECONDS = 500
const HOUR_MILLISECONDS = 3_600_000
/** By then a process that said so has ended without a word. */
const STALE_MILLISECONDS = { taking: 24 * HOUR_MILLISECONDS, pruning: HOUR_MILLISECONDS }
type Turn = keyof typeof STALE_MILLISECONDS

async function announced<Result>(repository: Repository, turn: Turn, work: () => Promise<Result>): Promise<Result> {
  const name = `${turn}/${nameOfTime(timestamp(systemClock.now()))}-${randomUUID()}`
  await repository.put(name, Buffer.alloc(0))
  try {
    return await work()
  } finally {
    await repository.remove(name)
  }
}

async function isRunning(repository: Repository, turn: Turn): Promise<boolean> {
  const oldest = timestamp(systemClock.now() - STALE_MILLISECONDS[turn])
  const names = await repository.list(turn)
  return names.some((name) => name > `${turn}/${nameOfTime(oldest)}`)
}

/** Takes a backup when no pieces are being removed. */
export const whileTaking = <Result>(repository: Repository, take: () => Promise<Result>): Promise<Result> =>
  announced(repository, 'taking', async () => {
    while (await isRunning(repository, 'pruning')) await sleep(LOOK_MILLISECONDS)
    return take()
  })

/** Removes pieces, unless a backup is being taken: then the next removal finds them. */
export const unlessTaking = (repository: Repository, prune: () => Promise<void>): Promise<void> =>
  announced(repository, 'pruning', async () => {
    if (!(await isRunning(repository, 'taking'))) await prune()
  })
