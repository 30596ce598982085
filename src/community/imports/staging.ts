// Reads the files of a source into records that wait to be written, and says what will become of them. Nothing else is changed: to start it is
// another act.
import { scopeOf } from '../../content/imported/origins.ts'
import { findImported, findImportedThing } from '../../content/imported/queries.ts'
import { isStorable } from '../../contract/storable.ts'
import type { Db } from '../../database/schema.ts'
import {
  type GivenRecord,
  ImportRecord,
  SourceError,
  type SourceFile,
  type StagedRecord,
} from '../../formats/imports/record.ts'
import { newId } from '../../runtime/ids.ts'
import type { ImportReport } from './contract.ts'
import { EnclosedPictures, type StagingDependencies } from './enclosed.ts'
import { FIRST_CURSOR } from './phases.ts'
import type { ImportOptions } from './queries.ts'
import { insertImport, insertRecords, isEmpty, lockImport, updateImport } from './queries.ts'
import { NOTHING_DONE, Reporting } from './report.ts'
import { sortKeyOf, statusOf } from './rules.ts'
import { longestTexts } from './writing.ts'

/** Of one import. */
export const MOST_RECORDS = 2_000_000
/** Records that are stored together. */
const BATCH = 200

export interface Staging {
  source: string
  name: string
  records: AsyncIterable<GivenRecord>
  /** Those of the files, by their paths. */
  pictures: ReadonlyMap<string, SourceFile>
  match: boolean
  /** null for a command of the operator. */
  createdBy: string | null
  now: string
  /** Told of the import before its first record. */
  began(id: string): void
}

export interface Staged {
  id: string
  report: ImportReport
}

/** Reads records. Throws `SourceError` for what no import can have. */
export async function stageImport(
  storing: StagingDependencies,
  { source, name, records, pictures, match, createdBy, now, began }: Staging,
): Promise<Staged> {
  const { db } = storing
  const id = newId()
  const none = {
    state: 'staged',
    cursor: FIRST_CURSOR,
    options: '{}',
    report: '{}',
    done: JSON.stringify(NOTHING_DONE),
  }
  const row = {
    id,
    source,
    name,
    ...none,
    total: 0,
    firstNumber: null,
    createdBy,
    createdAt: now,
    endedAt: null,
    error: null,
  }
  await db.transaction().execute((transaction) => insertImport(transaction, row))
  began(id)
  const reading = new Reading(db, { importId: id, scope: scopeOf({ source, name }), now })
  const enclosed = new EnclosedPictures({ storing, pictures, importId: id, now })
  for await (const given of records) {
    const record = await reading.take(given)
    if (record && 'text' in record) await enclosed.take(record.text)
  }
  await reading.flush()
  const highestNumber = reading.highestNumber()
  const options: ImportOptions = { match, keepsNumbers: highestNumber > 0 && (await isEmpty(db)), highestNumber }
  const report = reading.end(options, enclosed)
  const changes = { options: JSON.stringify(options), report: JSON.stringify(report), total: reading.total }
  await db.transaction().execute((transaction) => updateImport(transaction, id, changes))
  return { id, report }
}

class Reading {
  readonly #db: Db
  readonly #of: { importId: string; scope: string; now: string }
  readonly #reporting = new Reporting()
  readonly #waiting: StagedRecord[] = []
  readonly #numbers = new Set<number>()
  #unnumbered = 0
  #already = 0
  #read = 0
  /** Records that are written: people and labels come with what names them. */
  total = 0

  constructor(db: Db, of: { importId: string; scope: string; now: string }) {
    this.#db = db
    this.#of = of
  }

  /** Gives the record that waits now; undefined for one that is left out. */
  async take(given: GivenRecord): Promise<StagedRecord | undefined> {
    const parsed = ImportRecord.safeParse(storable(given))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      this.#reporting.leaveOut(`a ${given.type} that is not as it should be: ${issue?.path.join('.') ?? ''}`)
      return undefined
    }
    const record = parsed.data
    const of = longestOf(record)
    this.#reporting.add(record, of)
    if (record.type === 'left out') return undefined
    if (++this.#read > MOST_RECORDS) throw new SourceError(`There are more than ${MOST_RECORDS} records`)
    this.#waiting.push(record)
    if (this.#waiting.length >= BATCH) await this.flush()
    return record
  }

  async flush(): Promise<void> {
    const records = this.#waiting.splice(0)
    if (records.length === 0) return
    const { importId, scope, now } = this.#of
    const rows = new Map(records.map((record) => [sortKeyOf(record, now), JSON.stringify(record)]))
    for (const record of records) {
      if (record.type === 'thing' && (await findImportedThing(this.#db, { scope, sourceId: record.id })))
        this.#already++
      else if (record.type === 'thing') this.#number(record.number)
      const key = { scope, type: 'comment', sourceId: 'id' in record ? record.id : '' }
      if (record.type === 'comment' && (await findImported(this.#db, key))) this.#already++
    }
    const kept = [...rows].map(([sortKey, body]) => ({ sortKey, body }))
    const inserted = await this.#db.transaction().execute(async (db) => {
      // Taken back while it is read: nothing of it stays.
      if ((await lockImport(db, importId))?.state !== 'staged') throw new SourceError('the import was taken back')
      return insertRecords(db, importId, kept)
    })
    this.#stored += inserted
    this.total += records.filter(({ type }) => type !== 'person' && type !== 'label').length
  }

  #stored = 0

  #number(number: number | undefined): void {
    if (number === undefined || this.#numbers.has(number)) this.#unnumbered++
    else this.#numbers.add(number)
  }

  /** The highest number, where each thing has one of its own; 0 otherwise. */
  highestNumber(): number {
    if (this.#unnumbered > 0) return 0
    let highest = 0
    for (const number of this.#numbers) highest = Math.max(highest, number)
    return highest
  }

  end({ keepsNumbers }: Pick<ImportOptions, 'keepsNumbers'>, { kept, left }: EnclosedPictures): ImportReport {
    if (left > 0) this.#reporting.leaveOut('pictures of the files that cannot be read, or are too many', left)
    const [doubled, already] = [this.#read - this.#stored, this.#already]
    return this.#reporting.end({ doubled, already, keepsNumbers, enclosed: kept })
  }
}

/** The limit of its text, and what its state becomes. */
function longestOf(record: ImportRecord): { longest: number; to: string } {
  if (record.type === 'comment') return { longest: longestTexts.comment, to: '' }
  if (record.type !== 'thing') return { longest: 0, to: '' }
  const { kind, state } = record
  return { longest: longestTexts[kind], to: kind === 'post' ? 'none' : statusOf(kind, state) }
}

/** The same without what no database keeps. */
function storable<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return value
  return JSON.parse(json, (_, one) =>
    typeof one === 'string' && !isStorable(one) ? one.toWellFormed().replaceAll('\0', '') : one,
  ) as Value
}
