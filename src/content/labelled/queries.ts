// Which labels are on which things of a subject, as it is stored, and the things of a label in order. Each row repeats what lists of the
// subject are filtered and sorted by. The queries of a subject are built once. And the labels themselves.
import { sql } from 'kysely'
import type { ActiveSort } from '../../contract/fields.ts'
import type { FeedKind } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { among, countChanged, countRows, locking, recordsIn } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Database, Db, Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { isOfBoard } from '../board-access/listing-queries.ts'
import { type IdQuery, mergedIds, mergedWindow, type PageWindow, selectIds } from '../listing-queries.ts'
import { boundsOf, isShown, isShownSince, LABELS, narrowedBy, soughtIn, valueIn } from '../rows/filter-queries.ts'
import { facetsOf, type ListedSubject } from '../subject.ts'
import type { Score } from '../things.ts'
import type { Label, LabelDetails } from './contract.ts'

// Labels as they are stored.

const columns = ['id', 'name', 'color', 'description'] as const

/** Stores the label unless its name is taken in any case; false then. */
export async function insertLabel(db: Db, label: LabelDetails): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('label')
    .values({ ...label, nameKey: label.name.toLowerCase() })
    .onConflict((conflict) => conflict.column('nameKey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export function getLabel(db: Db, id: string): Promise<LabelDetails> {
  return db
    .selectFrom('label')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'No such label'))
}

/** The label, locked until the transaction ends; undefined where there is none. */
export const findLockedLabel = (db: Transaction, id: string): Promise<LabelDetails | undefined> =>
  locking(db, db.selectFrom('label').select(columns).where('id', '=', id)).executeTakeFirst()

/** Whether anything has the label, hidden or not. */
export async function isLabelUsed(db: Db, id: string): Promise<boolean> {
  for (const table of ['bugLabel', 'featureLabel', 'postLabel'] as const) {
    const used = await db.selectFrom(table).select('labelId').where('labelId', '=', id).limit(1).executeTakeFirst()
    if (used) return true
  }
  return false
}

/** Removes a label that nothing has. */
export async function deleteLabel(db: Transaction, id: string): Promise<void> {
  await db.deleteFrom('label').where('id', '=', id).execute()
}

/** The same; throws `not_found` where there is none. */
export async function lockLabel(db: Transaction, id: string): Promise<LabelDetails> {
  const label = await findLockedLabel(db, id)
  if (!label) throw new Problem('not_found', 'No such label')
  return label
}

/** Rejects with a violation of uniqueness where another label has the name in any case. */
export async function updateLabel(db: Transaction, { id, name, color, description }: LabelDetails): Promise<void> {
  await db
    .updateTable('label')
    .set({ name, nameKey: name.toLowerCase(), color, description })
    .where('id', '=', id)
    .execute()
}

/** The id of a label that is named by its id, or by its name in any case. */
export async function findLabelId(db: Db, idOrName: string): Promise<string | undefined> {
  const label = await db
    .selectFrom('label')
    .select('id')
    .where((either) => either.or([either('id', '=', idOrName), either('nameKey', '=', idOrName.toLowerCase())]))
    .executeTakeFirst()
  return label?.id
}

export async function listLabels(
  db: Db,
  { after, offset, limit }: { after?: string | undefined; offset: number; limit: number },
): Promise<LabelDetails[]> {
  return db
    .selectFrom('label')
    .select(columns)
    .$if(after !== undefined, (labels) => labels.where('nameKey', '>', String(after).toLowerCase()))
    .orderBy('nameKey')
    .limit(limit)
    .offset(offset)
    .execute()
}

const firstIds = prepared(
  (db, given: Bind<{ limit: number }>) => db.selectFrom('label').select('id').orderBy('nameKey').limit(given('limit')),
  { cached: true },
)

/** The ids of the first labels by name. */
export async function listLabelIdsByName(db: Db, limit: number): Promise<string[]> {
  const { rows } = await firstIds(db, { limit })
  return rows.map(({ id }) => id)
}

export const countLabels = (db: Db) => countRows(db.selectFrom('label'))

/** What has labels. */
export type LabelledSubject = Pick<ListedSubject, 'type' | 'table' | 'filters' | 'record' | 'parent' | 'labels'>

/** The table of the labels, and its column of the thing, which has the name of the parent of a comment. */
function placeOf({ labels, parent }: LabelledSubject) {
  const { table } = required(labels)
  return [table, required(parent) as ThingColumn] as const
}

type LabelTable = Database[NonNullable<ListedSubject['labels']>['table']]
type ColumnOf<Table> = Table extends unknown ? keyof Table : never
/** The columns of the things in all tables of labels. */
type ThingColumn = Extract<ColumnOf<LabelTable>, `${FeedKind}Id`>

/** The labels of a subject as they are stored. */
export interface LabelRows {
  /** Adds to the scores that the labels of things repeat. */
  addScores(db: Transaction, scores: readonly Score[]): Promise<void>
  /** Changes what the labels of a thing repeat of it. */
  updateFacets(db: Transaction, id: string, facets: Readonly<Record<string, unknown>>): Promise<void>
  /** Where a list is filtered by a label, a scan of it. */
  scan(
    db: Db,
    filters: Readonly<Record<string, string | undefined>>,
    order: PageWindow & { sort: ActiveSort },
  ): IdQuery | undefined
  /** Puts the label on the thing; false when it is there already. */
  insert(db: Transaction, id: string, row: { labelId: string } & Readonly<Record<string, unknown>>): Promise<boolean>
  /** False when the label is not there. */
  delete(db: Transaction, id: string, labelId: string): Promise<boolean>
  listIds(db: Db, id: string): Promise<string[]>
  /** The labels of the given things, each thing's by name; a thing without any is not in the map. */
  map(db: Db, ids: readonly string[]): Promise<Map<string, Label[]>>
}

export function labelRowsOf(subject: LabelledSubject): LabelRows {
  const [table, thing] = placeOf(subject)
  return {
    async insert(db, id, row) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto(table)
        .values({ ...row, [thing]: id } as never)
        .onConflict((conflict) => conflict.columns(['labelId', thing]).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    async delete(db, id, labelId) {
      return (await countChanged(db.deleteFrom(table).where('labelId', '=', labelId).where(thing, '=', id))) > 0
    },
    async listIds(db, id) {
      return (await db.selectFrom(table).select('labelId').where(thing, '=', id).execute()).map(
        ({ labelId }) => labelId,
      )
    },
    async updateFacets(db, id, facets) {
      if (Object.keys(facets).length > 0) await db.updateTable(table).set(facets).where(thing, '=', id).execute()
    },
    addScores: additionOf(subject),
    map: labelsOn(subject),
    scan: scanOf(subject),
  }
}

function additionOf(subject: LabelledSubject): LabelRows['addScores'] {
  const [table, thing] = placeOf(subject)
  const addition = prepared(
    (db, given: Bind<{ scores: string }>) =>
      db
        .updateTable(table)
        .from(recordsIn<Score>(db, given('scores'), { id: 'text', score: 'integer' }))
        .set({ score: sql<number>`${sql.ref(`${table}.score`)} + given.score` })
        .whereRef(thing, '=', 'given.id'),
    { pipelined: true },
  )
  return async (db, scores) => void (await addition(db, { scores: JSON.stringify(scores) }))
}

function labelsOn(subject: LabelledSubject): LabelRows['map'] {
  const [table, thing] = placeOf(subject)
  const found = prepared(
    (db, given: Bind<{ ids: string }>) =>
      db
        .selectFrom(table)
        .innerJoin('label', 'label.id', `${table}.labelId`)
        .select([`${thing} as thingId`, 'label.id', 'label.name', 'label.nameKey', 'label.color'])
        .where(thing, ...among(db, given('ids'))),
    { cached: true },
  )
  return async (db, ids) => {
    if (ids.length === 0) return new Map()
    const { rows } = await found(db, { ids: JSON.stringify(ids) })
    const byName = rows.toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1))
    const byThing = Map.groupBy(byName, ({ thingId }) => thingId)
    const withoutKeys = (labels: typeof rows) => labels.map(({ id, name, color }) => ({ id, name, color }))
    return new Map([...byThing].map(([thingId, labels]): [string, Label[]] => [thingId, withoutKeys(labels)]))
  }
}

/** Along the rows of a label, where nothing is searched for; a search looks among them. */
function scanOf(subject: LabelledSubject): LabelRows['scan'] {
  const { table: things } = subject
  const [table, thing] = placeOf(subject)
  const facets = facetsOf(subject)
  return (db, filters, { sort, ...page }) => {
    const several = [valueIn(filters, LABELS) ?? []].flat()
    const { labelId, authorId, q, people, agents } = filters
    if (labelId === undefined && several.length === 0) return undefined
    const narrowed = narrowedBy(filters)
    if (q || people || agents || narrowed || isOfBoard(filters)) {
      const ids = sql.join(labelId === undefined ? several : [labelId])
      const labelled = sql`select ${sql.ref(thing)} from ${sql.table(table)} where "labelId" in (${ids})`
      const among = narrowed
        ? sql<string>`(${labelled} intersect select id from ${narrowed} narrowed)`
        : sql<string>`(${labelled})`
      const { most, ...sought } = soughtIn(db, subject, filters)
      return selectIds(
        db,
        { table: things, ...boundsOf(facets, filters), ...sought, among, sort },
        { ...most, ...page },
      )
    }
    const having = Object.fromEntries(facets.map((name) => [name, valueIn(filters, name)]))
    const along = (label: string, window: PageWindow) => {
      const rows =
        authorId === undefined
          ? { within: ['labelId', label] as const, having }
          : { having: { labelId: label, authorId, ...having } }
      const where = isShownSince(table, isShown(table), filters)
      return selectIds(db, { table, id: thing, ...rows, where, sort }, window)
    }
    if (labelId !== undefined) return along(labelId, page)
    const parts = several.map((one) => along(one, mergedWindow(page)))
    return mergedIds(db, parts, { ...page, sort, shared: true })
  }
}
