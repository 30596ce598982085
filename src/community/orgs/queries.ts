// Orgs as they are stored: what lists show in one table, and what only an org's own page shows in another.
import type { Updateable } from 'kysely'
import { maySee } from '../../content/hiding/rules.ts'
import { storeOf } from '../../content/store/queries.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, OrgPageTable, OrgUploadTable, Transaction } from '../../database/schema.ts'
import { cut } from '../../formats/text.ts'
import type { Context } from '../../request/handler.ts'
import { changeSearch } from '../../search/indexing.ts'
import { orgDocument } from '../../search/things.ts'
import { pathOf, titleOf } from './rules.ts'
import { org } from './subject.ts'

const NAME_IN_LISTS = 200
const GOAL_IN_LISTS = 2_000

export const store = storeOf(org)
export const { lock: lockOrg, noSuchThing: noSuchOrg } = store

export type NewOrg = Omit<OrgUploadTable, 'score' | 'commentCount' | 'hidden'> & Pick<OrgPageTable, 'chart'>

/** Stores a new org; its name and goal may be of any length. */
export async function insertOrg(db: Transaction, { chart, ...org }: NewOrg): Promise<void> {
  const { id, name, goal } = org
  await store.insert(db, { ...org, name: cut(name, NAME_IN_LISTS), goal: cut(goal, GOAL_IN_LISTS) })
  await db.insertInto('orgPage').values({ orgId: id, name, goal, body: null, chart }).execute()
}

const idById = prepared((db, given: Bind<{ ref: string }>) =>
  db.selectFrom('orgUpload').select('id').where('id', '=', given('ref')),
)
const idBySlug = prepared((db, given: Bind<{ ref: string }>) =>
  db.selectFrom('orgUpload').select('id').where('slug', '=', given('ref')),
)

/** The id of the org of this id or slug. An org may be named like the id of another: ids go first. */
export async function getOrgId(db: Db, ref: string): Promise<string> {
  const { rows } = await idById(db, { ref })
  const found = rows[0] ?? (await idBySlug(db, { ref })).rows[0]
  if (!found) throw noSuchOrg()
  return found.id
}

/** The same of an org that the caller may see. */
export async function getVisibleOrgId({ db, caller }: Pick<Context, 'db' | 'caller'>, ref: string): Promise<string> {
  const id = await getOrgId(db, ref)
  const { rows } = await concealed(db, { id })
  if (!rows[0] || !maySee(caller, rows[0])) throw noSuchOrg()
  return id
}

const concealed = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('orgUpload as org')
    .leftJoin('user as author', 'author.id', 'org.authorId')
    .select(['org.authorId', 'org.hidden', 'author.blockedAt as authorBlockedAt'])
    .where('org.id', '=', given('id')),
)

export async function getAuthorId(db: Db, id: string): Promise<string> {
  const org = db.selectFrom('orgUpload').select('authorId').where('id', '=', id)
  return (await org.executeTakeFirstOrThrow(noSuchOrg)).authorId
}

const page = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('orgPage as page')
    .innerJoin('orgUpload as org', 'org.id', 'page.orgId')
    .select(['page.name', 'page.goal', 'page.body', 'page.chart', 'org.sha256', 'org.size'])
    .where('page.orgId', '=', given('id')),
)

const found = (db: Db) =>
  db
    .selectFrom('orgUpload as org')
    .innerJoin('orgPage as page', 'page.orgId', 'org.id')
    .select(['org.id', 'org.slug', 'org.name', 'org.goal', 'org.tagline', 'org.description', 'org.authorId'])
    .select(['org.createdAt', 'org.viaClientId', 'page.body'])
    .where('org.hidden', '=', 0)

/** Lets an org be found by what it says now. */
export async function indexOrg(db: Transaction, id: string): Promise<void> {
  const row = await found(db).where('org.id', '=', id).executeTakeFirstOrThrow(noSuchOrg)
  await changeSearch(db, { put: [documentOfOrg(row)] })
}

type FoundOrg = Awaited<ReturnType<ReturnType<typeof found>['execute']>>[number]
const documentOfOrg = (row: FoundOrg) => orgDocument(row, { title: titleOf(row), url: pathOf(row) })

/** What the search has of these orgs. */
export async function listOrgDocuments(db: Db, ids: readonly string[]) {
  return (await found(db).where('org.id', 'in', ids).execute()).map(documentOfOrg)
}

/** Where the site shows an org, hidden or not. */
export async function findUrl(db: Db, id: string): Promise<string> {
  const found = await store.findAny(db, id)
  if (!found) throw noSuchOrg()
  return pathOf(found)
}

/** What only an org's own page shows. */
export async function getPage(db: Db, id: string) {
  const { rows } = await page(db, { id })
  if (!rows[0]) throw noSuchOrg()
  return rows[0]
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

/** The text of an org's page. */
export async function findBody(db: Db, orgId: string): Promise<string | null> {
  const row = await db.selectFrom('orgPage').select('body').where('orgId', '=', orgId).executeTakeFirst()
  return row?.body ?? null
}

type Changes = Updateable<
  Pick<OrgUploadTable, 'name' | 'tagline' | 'description' | 'bannerUrl'> & Pick<OrgPageTable, 'body'>
> & { updatedAt: string }

/** Changes an org that is locked. A name given here is at most as long as lists show. */
export async function updateOrg(db: Transaction, id: string, { body, ...changes }: Changes) {
  await db.updateTable('orgUpload').set(changes).where('id', '=', id).execute()
  const page = { ...(body !== undefined && { body }), ...(changes.name !== undefined && { name: changes.name }) }
  if (Object.keys(page).length > 0) await db.updateTable('orgPage').set(page).where('orgId', '=', id).execute()
}

/** The accounts whose files go with an org: its own, and those who attached runs and images. */
export async function listStorers(db: Db, org: Pick<OrgUploadTable, 'id' | 'authorId'>): Promise<string[]> {
  const runs = await db.selectFrom('orgRun').select('authorId').distinct().where('orgId', '=', org.id).execute()
  const images = await db.selectFrom('orgImage').select('uploaderId').distinct().where('orgId', '=', org.id).execute()
  return [org.authorId, ...runs.map(({ authorId }) => authorId), ...images.map(({ uploaderId }) => uploaderId)]
}

export async function addRuns(db: Transaction, id: string, delta: number): Promise<void> {
  await db
    .updateTable('orgUpload')
    .set((org) => ({ runCount: org('runCount', '+', delta) }))
    .where('id', '=', id)
    .execute()
}

export async function countRuns(db: Db, id: string): Promise<number> {
  const org = db.selectFrom('orgUpload').select('runCount').where('id', '=', id)
  return (await org.executeTakeFirstOrThrow(noSuchOrg)).runCount
}
