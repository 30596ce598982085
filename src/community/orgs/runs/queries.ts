// Runs and their files as they are stored: a row of a file names the object that holds the bytes.
import { type HiddenState, maySee, stateOf } from '../../../content/hiding/rules.ts'
import { type Page, pageOf } from '../../../content/list-pages.ts'
import { inOrder, selectIds } from '../../../content/listing-queries.ts'
import { isShown } from '../../../content/rows/filter-queries.ts'
import { idsByAuthor } from '../../../content/rows/row-queries.ts'
import { withVia } from '../../../content/via.ts'
import type { Via } from '../../../contract/fields.ts'
import { Problem } from '../../../contract/problem.ts'
import type { PageRequest } from '../../../database/cursor.ts'
import { locking } from '../../../database/engine.ts'
import { type Bind, prepared } from '../../../database/prepared.ts'
import { plain } from '../../../database/rows.ts'
import type { Db, OrgRunTable, Transaction } from '../../../database/schema.ts'
import type { Context } from '../../../request/handler.ts'
import { required } from '../../../runtime/untyped.ts'
import { addRuns, countRuns } from '../queries.ts'
import type { RunFile } from './contract.ts'

/** Where the bytes are. */
export const fileKey = (id: string): string => `org-runs/${id}`

const noSuchRun = () => new Problem('not_found', 'No such run of this org')

type StoredFile = RunFile & { sha256: string }

/** Attaches a run to an org that is locked. */
export async function insertRun(db: Transaction, run: OrgRunTable, files: readonly StoredFile[]): Promise<void> {
  await db.insertInto('orgRun').values(run).execute()
  const rows = files.map((file, position) => ({ ...file, runId: run.id, position }))
  await db.insertInto('orgRunFile').values(rows).execute()
  await addRuns(db, run.orgId, 1)
}

/** A run, hidden or not. */
export const findRun = plain.selectFrom('orgRun', 'id', ['orgId', 'authorId', 'label', 'createdAt', 'hidden'])

/** Locks a run until the transaction ends. */
export function lockRun(db: Transaction, orgId: string, id: string) {
  const run = db.selectFrom('orgRun').select(['id', 'orgId', 'authorId', 'label', 'hidden'])
  return locking(db, run.where('id', '=', id).where('orgId', '=', orgId)).executeTakeFirstOrThrow(noSuchRun)
}

/** Removes a run of an org that is locked; its files go with it by the schema. */
export async function deleteRun(
  db: Transaction,
  { id, orgId, hidden }: Pick<OrgRunTable, 'id' | 'orgId' | 'hidden'>,
): Promise<void> {
  await db.deleteFrom('orgRun').where('id', '=', id).execute()
  if (hidden === 0) await addRuns(db, orgId, -1)
}

/** Stores why a run is hidden; the count of its org is the caller's. */
export async function updateHidden(db: Transaction, id: string, hidden: number): Promise<void> {
  await db.updateTable('orgRun').set({ hidden }).where('id', '=', id).execute()
}

/** Ids of an account's runs after one, in order, hidden ones too. */
export const listIdsOf = idsByAuthor('orgRun')

/** What the files of a run are called. */
export async function listFileNames(db: Db, runId: string): Promise<string[]> {
  const files = db.selectFrom('orgRunFile').select('filename').where('runId', '=', runId).orderBy('position')
  return (await files.execute()).map(({ filename }) => filename)
}

/** Some runs of an account. */
export function listRunsBy(db: Db, authorId: string, limit: number) {
  return db
    .selectFrom('orgRun')
    .select(['id', 'orgId'])
    .where('authorId', '=', authorId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Gives a run to another account. */
export async function updateRunAuthor(db: Transaction, id: string, authorId: string): Promise<void> {
  await db.updateTable('orgRun').set({ authorId, viaClientId: null }).where('id', '=', id).execute()
}

/** Of all files of a run, in bytes. */
export async function sumFileSizes(db: Db, runId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('orgRunFile')
    .select((row) => row.fn.sum<number | string | null>('sizeBytes').as('bytes'))
    .where('runId', '=', runId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Where the bytes of a run's files are. */
export async function listFileKeys(db: Db, runId: string): Promise<string[]> {
  const rows = await db.selectFrom('orgRunFile').select('id').where('runId', '=', runId).execute()
  return rows.map(({ id }) => fileKey(id))
}

/** Where the bytes of all files of all runs of an org are. */
export async function listRunFileKeys(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orgRunFile')
    .innerJoin('orgRun', 'orgRun.id', 'orgRunFile.runId')
    .select('orgRunFile.id')
    .where('orgRun.orgId', '=', orgId)
    .execute()
  return rows.map(({ id }) => fileKey(id))
}

const runs = (db: Db) =>
  db
    .selectFrom('orgRun as run')
    .leftJoin('user as author', 'author.id', 'run.authorId')
    .select(['run.id', 'run.orgId as orgUploadId', 'run.authorId', 'author.username as authorUsername'])
    .select(['run.label', 'run.createdAt', 'run.viaClientId'])

type Row = Awaited<ReturnType<ReturnType<typeof runs>['execute']>>[number]
type Entry = Omit<Row, 'viaClientId'> & { via: Via; files: RunFile[] }
type ReadContext = Pick<Context, 'db' | 'config'>

/** A run that the caller may see, with its state where it is hidden. */
export async function getRun(
  context: Pick<Context, 'db' | 'caller' | 'config'>,
  orgId: string,
  id: string,
): Promise<Entry & { state?: HiddenState }> {
  const { db, caller } = context
  const { hidden, authorBlockedAt, ...run } = await runs(db)
    .select(['run.hidden', 'author.blockedAt as authorBlockedAt'])
    .where('run.id', '=', id)
    .where('run.orgId', '=', orgId)
    .executeTakeFirstOrThrow(noSuchRun)
  if (!maySee(caller, { hidden, authorBlockedAt, authorId: run.authorId })) throw noSuchRun()
  const [entry] = await withFiles(db, await withVia(context, [run]))
  const state = stateOf({ hidden, authorBlockedAt })
  return { ...required(entry), ...(state && { state }) }
}

/** Newest first. */
export async function pageOfRuns(reading: ReadContext, orgId: string, input: PageRequest): Promise<Page<Entry>> {
  const { db } = reading
  const { items, ...page } = await pageOf(db, input, {
    kind: 'org-run',
    filters: { orgId },
    count: () => countRuns(db, orgId),
    scan: (on, places, pageWindow) =>
      selectIds(
        on,
        { table: 'orgRun', within: ['orgId', places.orgId], where: isShown('orgRun'), sort: 'latest' },
        pageWindow,
      ),
    entries: (on, ids) =>
      inOrder(
        runs(on)
          .where('run.id', ...ids)
          .where('author.blockedAt', 'is', null),
        { of: 'run', sort: 'latest' },
      ),
  })
  return { items: await withFiles(db, await withVia(reading, items)), ...page }
}

async function withFiles<Run extends { id: string }>(
  db: Db,
  found: readonly Run[],
): Promise<(Run & { files: RunFile[] })[]> {
  if (found.length === 0) return []
  const rows = await db
    .selectFrom('orgRunFile')
    .select(['runId', 'id', 'filename', 'fileType', 'sizeBytes'])
    .where(
      'runId',
      'in',
      found.map(({ id }) => id),
    )
    .orderBy('runId')
    .orderBy('position')
    .execute()
  const byRun = Map.groupBy(rows, ({ runId }) => runId)
  return found.map((run) => ({ ...run, files: (byRun.get(run.id) ?? []).map(({ runId: _, ...file }) => file) }))
}

const fileById = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('orgRunFile as file')
    .innerJoin('orgRun as run', 'run.id', 'file.runId')
    .innerJoin('orgUpload as org', 'org.id', 'run.orgId')
    .leftJoin('user as author', 'author.id', 'run.authorId')
    .leftJoin('user as orgAuthor', 'orgAuthor.id', 'org.authorId')
    .select(['file.id', 'file.filename', 'file.fileType', 'file.sizeBytes'])
    .where('file.id', '=', given('id'))
    .where('org.hidden', '=', 0)
    .where('run.hidden', '=', 0)
    .where('orgAuthor.blockedAt', 'is', null)
    .where('author.blockedAt', 'is', null),
)

export async function getFile(db: Db, id: string): Promise<RunFile> {
  const { rows } = await fileById(db, { id })
  if (!rows[0]) throw new Problem('not_found', 'No such file')
  return rows[0]
}
