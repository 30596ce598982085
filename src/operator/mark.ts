// The mark of a continuous backup beside the database that it follows (followers.ts of packages/durable-sqlite): locked while the backup runs.
// Before the log starts over, what was read of it and not shipped is left here, with the place where that log ends.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy, shippingMark } from '@guildhall/durable-sqlite/following'
import { z } from 'zod'
import { jsonIn } from '../runtime/json.ts'
import { required } from '../runtime/untyped.ts'
import { type Position, PositionOf, plainPosition, positionIn } from './wal-frames.ts'
import type { LogReading } from './wal-tail.ts'

const BUSY_TIMEOUT = 1_000

const About = z.object({
  stream: z.string(),
  number: z.int(),
  position: PositionOf.optional(),
  names: z.array(z.string()),
  pageBytes: z.int(),
  pages: z.int(),
  numbers: z.array(z.int().positive()),
})

/** What was read and not shipped when a log started over. */
export interface UnshippedReading extends Omit<LogReading, 'hasMore'> {
  /** The part that it belongs to. */
  stream: string
  number: number
  /** Where that log ended. */
  position: Position
}

export class Mark {
  readonly #db: DatabaseSync
  /** Throws when another backup of the database goes to the same place. */
  constructor(database: string, place: string) {
    const path = shippingMark(database) + createHash('sha256').update(place).digest('hex').slice(0, 8)
    this.#db = lockedAt(path)
  }

  left(): UnshippedReading | undefined {
    const row = this.#db.prepare('select about, pages from "left"').get()
    const about = About.safeParse(jsonIn(String(row?.['about']))).data
    const position = about?.position && positionIn(about.position)
    if (!about || !position) return undefined
    const { stream, number, names, pageBytes, pages } = about
    const bytes = Buffer.from(required(row)['pages'] as Uint8Array)
    const changed = new Map(
      about.numbers.map((page, at) => [page, bytes.subarray(at * pageBytes, (at + 1) * pageBytes)] as const),
    )
    return { stream, number, names, position, changed: pages > 0 ? { pageBytes, pages, changed } : undefined }
  }

  /** When it returns, it is on disk. */
  leave({ stream, number, names, position, changed }: UnshippedReading): void {
    const about: z.input<typeof About> = {
      ...{ stream, number, names: [...names], position: plainPosition(position) },
      ...{
        pageBytes: changed?.pageBytes ?? 0,
        pages: changed?.pages ?? 0,
        numbers: [...(changed?.changed.keys() ?? [])],
      },
    }
    this.#db.exec('begin; delete from "left"')
    this.#db
      .prepare('insert into "left" values (?, ?)')
      .run(JSON.stringify(about), Buffer.concat([...(changed?.changed.values() ?? [])]))
    this.#db.exec('commit')
  }

  close(): void {
    this.#db.close()
  }
}

function lockedAt(path: string): DatabaseSync {
  for (;;) {
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
    try {
      // In this mode the lock outlasts each commit. It ends with the process; the file stays.
      db.exec('pragma locking_mode = exclusive; pragma synchronous = full; begin exclusive')
      db.exec('create table if not exists "left" (about text not null, pages blob not null); commit')
      // A server may have dismissed it just before.
      if (existsSync(path)) return db
      db.close()
    } catch (error) {
      db.close()
      throw isBusy(error) ? new Error('another continuous backup of this database goes to the same place') : error
    }
  }
}
