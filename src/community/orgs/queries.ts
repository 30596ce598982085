// Orgs as they are stored: what lists show in one table, and what only an org's own page shows in another.
import type { Updateable } from 'kysely'
import type { z } from 'zod'
import { type Counted, countOf, decrement, increment } from '../../content/counters.ts'
import { inOrder, type Page, type PageWindow, pageOf, selectIds } from '../../content/listing-queries.ts'
import type { Sort } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { locking } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, OrgPageTable, OrgUploadTable, Transaction } from '../../database/schema.ts'
import { cut } from '../../formats/text.ts'
import type { orgs } from './contract.ts'

type ListInput = z.output<typeof orgs.list.input>

const NAME_IN_LISTS = 200
const GOAL_IN_LISTS = 2_000

const noSuchOrg = () => new Problem('not_found', 'No such org')

const entryColumns = [
  'id',
  'slug',
  'tagline',
  'description',
  'bannerUrl',
  'topology',
  'roleCount',
  'runCount',
  'authorId',
  'score',
  'commentCount',
  'createdAt',
  'updatedAt',
] as const

const entries = (db: Db) =>
  db
    .selectFrom('orgUpload as org')
    .leftJoin('user as author', 'author.id', 'org.authorId')
    .select(entryColumns.map((column) => `org.${column}` as const))
    .select('author.username as authorUsername')

const listed = (db: Db) => entries(db).select(['org.name', 'org.goal'])

type Entry = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

const counted = ({ authorId }: Pick<OrgUploadTable, 'authorId'>): Counted => ({
  kind: 'org',
  groups: ['all', `by/${authorId}`],
  facets: [],
})

export type NewOrg = Omit<OrgUploadTable, 'score' | 'commentCount' | 'runCount' | 'bannerUrl' | 'updatedAt'> &
  Pick<OrgPageTable, 'chart'>

/** Stores a new org; its name and goal may be of any length. */
export async function insertOrg(db: Transaction, { chart, ...org }: NewOrg): Promise<void> {
  const { id, name, goal, createdAt } = org
  await db
    .insertInto('orgUpload')
    .values({
      ...org,
      name: cut(name, NAME_IN_LISTS),
      goal: cut(goal, GOAL_IN_LISTS),
      bannerUrl: null,
      score: 0,
      commentCount: 0,
      runCount: 0,
      updatedAt: createdAt,
    })
    .execute()
  await db.insertInto('orgPage').values({ orgId: id, name, goal, body: null, chart }).execute()
  await increment(db, counted(org))
}

const idById = prepared((db, given: Given<{ ref: string }>) =>
  db.selectFrom('orgUpload').select('id').where('id', '=', given('ref')),
)
const idBySlug = prepared((db, given: Given<{ ref: string }>) =>
  db.selectFrom('orgUpload').select('id').where('slug', '=', given('ref')),
)

/** The id of the org of this id or slug. An org may be named like the id of another: ids go first. */
export async function getOrgId(db: Db, ref: string): Promise<string> {
  const { rows } = await idById(db, { ref })
  const found = rows[0] ?? (await idBySlug(db, { ref })).rows[0]
  if (!found) throw noSuchOrg()
  return found.id
}

/** Locks the org of this id until the transaction ends. */
export function lockOrg(db: Transaction, id: string) {
  const columns = ['id', 'slug', 'authorId', 'name', 'goal', 'tagline', 'description', 'score'] as const
  const org = db.selectFrom('orgUpload').select(columns).where('id', '=', id)
  return locking(db, org).executeTakeFirstOrThrow(noSuchOrg)
}

export async function getAuthorId(db: Db, id: string): Promise<string> {
  const org = db.selectFrom('orgUpload').select('authorId').where('id', '=', id)
  return (await org.executeTakeFirstOrThrow(noSuchOrg)).authorId
}

export function getOrg(db: Db, id: string) {
  return entries(db)
    .innerJoin('orgPage as page', 'page.orgId', 'org.id')
    .select(['page.name', 'page.goal', 'page.body', 'page.chart', 'org.sha256', 'org.size'])
    .where('org.id', '=', id)
    .executeTakeFirstOrThrow(noSuchOrg)
}

export function getDefinition(db: Db, id: string) {
  return db
    .selectFrom('orgUpload')
    .select(['slug', 'sha256', 'size'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(noSuchOrg)
}

/** Whether the definition of an org is this artifact. */
export async function isDefinitionUsed(db: Db, sha256: string): Promise<boolean> {
  const rows = await db.selectFrom('orgUpload').select('id').where('sha256', '=', sha256).limit(1).execute()
  return rows.length > 0
}

type Changes = Updateable<
  Pick<OrgUploadTable, 'name' | 'tagline' | 'description' | 'bannerUrl'> & Pick<OrgPageTable, 'body'>
>

/** Changes an org that is locked. A name given here is at most as long as lists show. */
export async function updateOrg(db: Transaction, id: string, { body, ...changes }: Changes, now: string) {
  await db
    .updateTable('orgUpload')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .execute()
  const page = { ...(body !== undefined && { body }), ...(changes.name !== undefined && { name: changes.name }) }
  if (Object.keys(page).length > 0) await db.updateTable('orgPage').set(page).where('orgId', '=', id).execute()
}

/** The accounts whose files go with an org: its own, and those who attached runs and images. */
export async function listStorers(db: Db, org: Pick<OrgUploadTable, 'id' | 'authorId'>): Promise<string[]> {
  const runs = await db.selectFrom('orgRun').select('authorId').distinct().where('orgId', '=', org.id).execute()
  const images = await db.selectFrom('orgImage').select('uploaderId').distinct().where('orgId', '=', org.id).execute()
  return [org.authorId, ...runs.map(({ authorId }) => authorId), ...images.map(({ uploaderId }) => uploaderId)]
}

/** Removes an org that is locked; its page, its runs with their files and its images go with it by the schema. */
export async function deleteOrg(db: Transaction, org: Pick<OrgUploadTable, 'id' | 'authorId'>): Promise<void> {
  await db.deleteFrom('orgUpload').where('id', '=', org.id).execute()
  await decrement(db, counted(org))
}

export async function addToOrg(
  db: Transaction,
  id: string,
  column: 'score' | 'commentCount' | 'runCount',
  delta: number,
): Promise<void> {
  await db
    .updateTable('orgUpload')
    .set((org) => ({ [column]: org(column, '+', delta) }))
    .where('id', '=', id)
    .execute()
}

export async function getCount(db: Db, id: string, column: 'commentCount' | 'runCount'): Promise<number> {
  const row = await db.selectFrom('orgUpload').select(column).where('id', '=', id).executeTakeFirstOrThrow(noSuchOrg)
  return row[column]
}

export function pageOfOrgs(db: Db, { page, per_page, sort, ...filters }: ListInput): Promise<Page<Entry>> {
  const { authorId, q } = filters
  return pageOf(
    db,
    { page, per_page, sort, q },
    {
      kind: 'org',
      filters,
      count: () => countOf(db, 'org', authorId === undefined ? 'all' : `by/${authorId}`),
      scan: (on, places, pageWindow) => scan(on, places, sort, pageWindow),
      entries: (on, ids) => inOrder(listed(on).where('org.id', 'in', ids), { of: 'org', sort }),
    },
  )
}

function scan(db: Db, { authorId, q }: Pick<ListInput, 'authorId' | 'q'>, sort: Sort, pageWindow: PageWindow) {
  const search = q ? { type: 'org', q } : undefined
  return selectIds(db, { table: 'orgUpload', within: ['authorId', authorId], search, sort }, pageWindow)
}
