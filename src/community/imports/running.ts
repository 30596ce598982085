// An import as it goes on: batch by batch, each in one transaction with how far it got. So a process that ends loses nothing, and what it does again

// is the same to the byte: ids follow from the source, and numbers are set apart before the first of them is used.

import { scopeOf } from '../../content/imported/origins.ts'
import { findImportedThing } from '../../content/imported/queries.ts'
import { markImagesGone } from '../../content/text-images/queries.ts'
import { lastNumber, lockName, setLastNumber } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { CommentRecord, type StagedRecord, ThingRecord, VoteRecord } from '../../formats/imports/record.ts'
import { timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { WriteBatch } from './batch.ts'
import { bringPictures, type Going } from './bringing.ts'
import type { ImportDone } from './contract.ts'
import { type Cursor, following, isOfPictures } from './phases.ts'
import type { ImportOptions } from './queries.ts'
import {
  deleteRecords,
  findImport,
  findThingFrom,
  isEmpty,
  lastSetApart,
  listRecords,
  lockImport,
  type StoredImport,
  stepTo,
  updateImport,
} from './queries.ts'
import { NOTHING_DONE } from './report.ts'
import { ranks } from './rules.ts'
import { nameThing, writeComment, writeThing, writeVotes } from './writing.ts'

/** Records of one transaction: until it ends, others wait for the writer of SQLite. */
const sizes = { count: 500, number: 250, thing: 40, comment: 80, vote: 150, end: 1_000 } as const

/** Does a little of an import; gives whether there is more. */
export async function runImport(going: Going, id: string): Promise<boolean> {
  const row = await findImport(going.db, id)
  if (row?.state !== 'running') return false
  const cursor = parseJson<Cursor>(row.cursor)
  return isOfPictures(cursor) ? bringPictures(going, row, cursor) : writeBatch(going, id)
}

const writeBatch = ({ db, clock }: Going, id: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state !== 'running' || isOfPictures(parseJson<Cursor>(row.cursor))) return row?.state === 'running'
    const writing = writingOf(transaction, row, timestamp(clock.now()))
    const cursor = await stepFrom(writing, parseJson<Cursor>(row.cursor))
    const done = JSON.stringify(writing.done)
    await updateImport(transaction, id, { done, cursor: JSON.stringify(cursor ?? parseJson(row.cursor)) })
    if (!cursor) await stepTo(transaction, id, { to: 'done', endedAt: writing.now, error: null })
    return cursor !== undefined
  })

const writingOf = (db: Transaction, row: StoredImport, now: string): WriteBatch => ({
  ...{ db, row, now, scope: scopeOf(row), people: new Map(), labels: new Map() },
  options: parseJson<ImportOptions>(row.options),
  done: { ...NOTHING_DONE, ...parseJson<Partial<ImportDone>>(row.done) },
})

/** Where the next batch goes on; undefined at the end. */
async function stepFrom(writing: WriteBatch, cursor: Cursor): Promise<Cursor | undefined> {
  const { db, row } = writing
  switch (cursor.phase) {
    case 'count':
      return throughThings(writing, cursor, async () => {})
    case 'set apart':
      return setApart(writing, cursor)
    case 'number':
      return throughThings(writing, cursor, (thing, at) =>
        nameThing(writing, thing, writing.options.keepsNumbers ? (thing.number ?? 0) : (row.firstNumber ?? 1) + at),
      )
    case 'picture':
    case 'picture of comment':
      throw new Error('Pictures are brought outside of a transaction')
    case 'thing':
      return through(writing, cursor, {
        ...{ rank: ranks.thing, size: sizes.thing },
        async write(bodies) {
          for (const body of bodies) await writeThing(writing, ThingRecord.parse(body))
        },
      })
    case 'comment':
      return through(writing, cursor, {
        ...{ rank: ranks.comment, size: sizes.comment },
        async write(bodies) {
          for (const body of bodies) await writeComment(writing, CommentRecord.parse(body))
        },
      })
    case 'vote':
      return through(writing, cursor, {
        ...{ rank: ranks.vote, size: sizes.vote },
        write: (bodies) =>
          writeVotes(
            writing,
            bodies.map((body) => VoteRecord.parse(body)),
          ),
      })
    case 'end':
      if ((await deleteRecords(db, row.id, sizes.end)) === sizes.end) return cursor
      await markImagesGone(db, [row.id])
      return undefined
  }
}

interface Part {
  rank: string
  size: number
  write(bodies: StagedRecord[]): Promise<unknown>
}

/** Goes through the next records of one kind. */
async function through(
  { db, row }: WriteBatch,
  { phase, after, counted }: Cursor,
  { rank, size, write }: Part,
): Promise<Cursor> {
  const records = await listRecords(db, { importId: row.id, after, rank, limit: size })
  await write(records.map(({ body }) => parseJson<StagedRecord>(body)))
  const last = records.at(-1)?.sortKey
  if (records.length < size || last === undefined) return { phase: following(phase), after: '', counted }
  return { phase, after: last, counted }
}

/** Goes through things that did not come with an earlier import; they are counted. */
async function throughThings(
  writing: WriteBatch,
  cursor: Cursor,
  write: (thing: ThingRecord, at: number) => Promise<void>,
): Promise<Cursor> {
  let { counted } = cursor
  const { db, scope } = writing
  const size = cursor.phase === 'count' ? sizes.count : sizes.number
  const next = await through(writing, cursor, {
    ...{ rank: ranks.thing, size },
    async write(bodies) {
      for (const body of bodies) {
        const thing = ThingRecord.parse(body)
        if (!(await findImportedThing(db, { scope, sourceId: thing.id }))) await write(thing, counted++)
      }
    },
  })
  return { ...next, counted }
}

/**
 * Sets numbers apart for all new things, one import at a time: the first one is stored before they count as given, in two batches, as PostgreSQL takes no
 * number back. Where others took numbers in between, it chooses again.
 */
async function setApart(writing: WriteBatch, cursor: Cursor): Promise<Cursor> {
  const { db, row, options } = writing
  const next: Cursor = { phase: 'number', after: '', counted: 0 }
  if (cursor.counted === 0) return next
  await lockName(db, 'import numbers')
  const last = await lastNumber(db)
  if (options.keepsNumbers) {
    // Others may have written since the files were read, or have numbers for what they will write.
    if (!(await isEmpty(db)) || (await lastSetApart(db, row.id)) > 0) {
      await updateImport(db, row.id, { options: JSON.stringify({ ...options, keepsNumbers: false }) })
      return cursor
    }
    if (last < options.highestNumber) await setLastNumber(db, options.highestNumber)
    await updateImport(db, row.id, { firstNumber: 1 })
    return next
  }
  const first = row.firstNumber ?? undefined
  const end = (first ?? 0) + cursor.counted - 1
  if (first !== undefined && last < first) {
    await setLastNumber(db, end)
    return next
  }
  if (first !== undefined && last === end && !(await findThingFrom(db, first))) return next
  await updateImport(db, row.id, { firstNumber: Math.max(last, await lastSetApart(db, row.id)) + 1 })
  return cursor
}
