// Feature requests as they are stored.
import type { z } from 'zod'
import { type Counted, countOf, decrement, increment, recount } from '../../content/counters.ts'
import { inOrder, type Page, type PageWindow, pageOf, selectIds } from '../../content/listing-queries.ts'
import type { Sort } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, FeatureTable, Transaction } from '../../database/schema.ts'
import type { Feature, features } from './contract.ts'

type ListInput = z.output<typeof features.list.input>
type Filters = Pick<ListInput, 'status' | 'authorId' | 'q'>

export const noSuchFeature = () => new Problem('not_found', 'No such feature request')

const entries = (db: Db) =>
  db
    .selectFrom('feature')
    .leftJoin('user as author', 'author.id', 'feature.authorId')
    .select([
      'feature.id',
      'feature.title',
      'feature.description',
      'feature.authorId',
      'author.username as authorUsername',
      'feature.status',
      'feature.score',
      'feature.createdAt',
      'feature.updatedAt',
    ])

type Entry = Awaited<ReturnType<typeof getFeature>>

const counted = ({ authorId, status }: Pick<FeatureTable, 'authorId' | 'status'>): Counted => ({
  kind: 'feature',
  groups: ['all', `by/${authorId}`],
  facets: [status],
})

export async function insertFeature(db: Transaction, feature: Feature): Promise<void> {
  await db
    .insertInto('feature')
    .values({ ...feature, score: 0 })
    .execute()
  await increment(db, counted(feature))
}

const locked = (db: Transaction, id: string) =>
  locking(db, db.selectFrom('feature').select(['id', 'title', 'authorId', 'status', 'score']).where('id', '=', id))

/** Locks a feature request until the transaction ends. */
export const lockFeature = (db: Transaction, id: string) => locked(db, id).executeTakeFirstOrThrow(noSuchFeature)
/** The same, for a caller that need not be told whether there is one. */
export const findLockedFeature = (db: Transaction, id: string) => locked(db, id).executeTakeFirst()

/** Sets the status; gives what was before. */
export async function updateStatus(db: Transaction, id: string, changes: Pick<FeatureTable, 'status' | 'updatedAt'>) {
  const before = await lockFeature(db, id)
  await db.updateTable('feature').set(changes).where('id', '=', id).execute()
  await recount(db, counted(before), counted({ ...before, ...changes }))
  return before
}

export async function deleteFeature(
  db: Transaction,
  feature: Pick<FeatureTable, 'id' | 'authorId' | 'status'>,
): Promise<void> {
  await db.deleteFrom('feature').where('id', '=', feature.id).execute()
  await decrement(db, counted(feature))
}

export async function addToScore(db: Transaction, id: string, delta: number): Promise<void> {
  await db
    .updateTable('feature')
    .set((feature) => ({ score: feature('score', '+', delta) }))
    .where('id', '=', id)
    .execute()
}

const entry = prepared((db, given: Given<{ id: string }>) => entries(db).where('feature.id', '=', given('id')))

export async function getFeature(db: Db, id: string) {
  const { rows } = await entry(db, { id })
  if (!rows[0]) throw noSuchFeature()
  return rows[0]
}

export function pageOfFeatures(db: Db, { page, per_page, sort, ...filters }: ListInput): Promise<Page<Entry>> {
  const { status, authorId, q } = filters
  return pageOf(
    db,
    { page, per_page, sort, q },
    {
      kind: 'feature',
      filters,
      count: () => countOf(db, 'feature', authorId === undefined ? 'all' : `by/${authorId}`, [status]),
      scan: (on, places, pageWindow) => scan(on, places, sort, pageWindow),
      entries: (on, ids) => inOrder(entries(on).where('feature.id', 'in', ids), { of: 'feature', sort }),
    },
  )
}

function scan(db: Db, { status, authorId, q }: Filters, sort: Sort, pageWindow: PageWindow) {
  const search = q ? { type: 'feature', q } : undefined
  const rows =
    authorId === undefined
      ? { within: ['status', status] as const }
      : { within: ['authorId', authorId] as const, having: { status } }
  return selectIds(db, { table: 'feature', ...rows, search, sort }, pageWindow)
}
