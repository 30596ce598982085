// Moves the rows of a database to another one while the server works. From the first moment the source notes what changes (rows.ts).
// The first command copies and compares every row; the final step copies and compares what changed since, and nothing else.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { refuseUnready } from '../database/existing.ts'
import { openDatabase } from '../database/open.ts'
import { clear, copyChanges, copyRows, findDifferences, mendRows, sharedTables } from './copying.ts'
import { isUnfinished, openChangeLog, openRows, openWritableRows } from './opening-rows.ts'
import type { Output } from './output.ts'
import { hasAccounts } from './queries.ts'
import type { ChangeLog, WritableRows } from './rows.ts'

/** What the new database remembers of the move. */
const Note = z.object({
  /** The name of the move, which the source knows too. */
  move: z.string(),
  /** Whether every row was compared: from then on, what differs is noted by the source. */
  isCompared: z.boolean(),
  /** The store whose files were all compared. */
  files: z.string().optional(),
})
type Note = z.infer<typeof Note>

/** The server writes on: passes get shorter, and the final step takes the rest. */
const MOST_PASSES = 10
const FEW_ROWS = 200

export interface MovedRows {
  /** The rows that were compared: all of them, or those that changed since an earlier step. */
  rows: number
  isAll: boolean
}

export interface Place {
  fromUrl: string
  toUrl: string
  /** Whether to compare every row, even if an earlier step did. */
  isAll: boolean
  output: Output
}

interface Sides extends Place {
  to: WritableRows
  log: ChangeLog
}

/** Opens both sides of a move. The source must have the shape of this version, as the target will. */
async function withSides<Result>(place: Place, work: (sides: Sides) => Promise<Result>): Promise<Result> {
  const { fromUrl, toUrl } = place
  if (fromUrl === toUrl) throw new Error('the database is there already: --database names the one that is in use')
  await refuseUnready(fromUrl)
  const isNew = !(await isUnfinished(toUrl))
  if (isNew) await refuseUsed(toUrl)
  const to = await openWritableRows(toUrl)
  const log = await openChangeLog(fromUrl)
  try {
    if (isNew) await clear(to)
    return await work({ ...place, to, log })
  } finally {
    await log.close()
    await to.close()
  }
}

async function refuseUsed(url: string): Promise<void> {
  const { db } = await openDatabase(url)
  try {
    if (await hasAccounts(db))
      throw new Error('the new database has accounts already: name an empty one, and remove what is in it yourself')
  } finally {
    await db.destroy()
  }
}

/** What the new database remembers, if the source noted every change since, and that is enough. */
async function validNote({ fromUrl, to, log, isAll }: Sides): Promise<Note | undefined> {
  const text = await to.note()
  if (text === undefined) return undefined
  const note = Note.parse(JSON.parse(text))
  const tables = await reading(fromUrl, 'as committed', (from) => sharedTables(from, to))
  if (!(await log.isComplete(tables, note.move))) return undefined
  return isAll ? { move: note.move, isCompared: false } : note
}

async function reading<Result>(
  url: string,
  how: Parameters<typeof openRows>[1],
  work: (rows: Awaited<ReturnType<typeof openRows>>) => Promise<Result>,
): Promise<Result> {
  const rows = await openRows(url, how)
  try {
    return await work(rows)
  } finally {
    await rows.close()
  }
}

/** Copies and compares every row while the server works; later runs copy what changed since. */
export async function copyWhileServing(place: Place & { files?: string }): Promise<MovedRows> {
  return withSides(place, async (sides) => {
    const { to } = sides
    const note = (await validNote(sides)) ?? (await beginMove(sides))
    const rows = note.isCompared ? 0 : await copyAll(sides)
    const changed = await followChanges(sides)
    await to.setNote(JSON.stringify({ move: note.move, isCompared: true, ...(place.files && { files: place.files }) }))
    await to.settle()
    return note.isCompared ? { rows: changed, isAll: false } : { rows, isAll: true }
  })
}

async function beginMove({ fromUrl, to, log }: Sides): Promise<Note> {
  const note = { move: randomUUID(), isCompared: false }
  const tables = await reading(fromUrl, 'as committed', (from) => sharedTables(from, to))
  await log.begin(tables, note.move)
  await to.setNote(JSON.stringify(note))
  return note
}

/** What differs while the server writes is noted as changed, and copied with the rest of that. */
async function copyAll({ fromUrl, to, log, output }: Sides): Promise<number> {
  return reading(fromUrl, 'as committed', async (from) => {
    await copyRows(from, to, {
      onRows: (table, rows, share) => output.progress(`Copying ${table}: ${rows} rows`, share),
      conflict: 'skip',
    })
    await to.settle()
    return findDifferences(from, to, {
      onRows: (table, rows, share) => output.progress(`Comparing ${table}: ${rows} rows`, share),
      onDiffering: (table, keys) => log.add(table, keys),
    })
  })
}

async function followChanges({ fromUrl, to, log, output }: Sides): Promise<number> {
  let total = 0
  for (let pass = 1; pass <= MOST_PASSES; pass++) {
    output.progress('Copying what changed in the meantime')
    const { rows, numbers } = await reading(fromUrl, 'one state', (from) => copyChanges(from, to))
    await log.forget(numbers)
    total += rows
    if (rows < FEW_ROWS) break
  }
  return total
}

/** Whether every file of this store was compared by an earlier step of the move into this database. */
export async function knowsFiles(place: Place, files: string): Promise<boolean> {
  if (!(await isUnfinished(place.toUrl))) return false
  return withSides(place, async (sides) => (await validNote(sides))?.files === files)
}

/** The final step: no server writes to the source any more, and Guildhall may start on the new database at its end. */
export async function finishMove(place: Place): Promise<MovedRows> {
  return withSides(place, async (sides) => {
    const { to, log, output } = sides
    const isAll = !(await validNote(sides))?.isCompared
    const rows = await reading(place.fromUrl, 'locked', async (from) => {
      if (!isAll) {
        const { rows: changed } = await copyChanges(from, to)
        await to.setNumbers(await from.numbers())
        await to.finish('later')
        return changed
      }
      await copyRows(from, to, {
        onRows: (table, copied, share) => output.progress(`Copying ${table}: ${copied} rows`, share),
      })
      const all = await mendRows(from, to, (table, compared, share) =>
        output.progress(`Comparing ${table}: ${compared} rows`, share),
      )
      await to.finish()
      await to.settle()
      return all
    })
    await log.end()
    if (!isAll) {
      output.say(
        'The new database is complete: the server may start on it. Its references are checked at the same time.',
      )
      await to.checkReferences()
    }
    return { rows, isAll }
  })
}

/** Removes what a move added to the database that it copies. */
export async function endMove(fromUrl: string): Promise<void> {
  const log = await openChangeLog(fromUrl)
  try {
    await log.end()
  } finally {
    await log.close()
  }
}
