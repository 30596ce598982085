// How CI identities that publish are stored, and the grants of their tokens. Locks are taken in one order: account, item, publisher.
import type { Selectable } from 'kysely'
import { countChanged, countRows, locking } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, Transaction, TrustedPublisherTable } from '../../database/schema.ts'
import type { CiRun } from '../../identity/ci-run.ts'
import { deleteGrant } from '../../identity/grant-queries.ts'

export type Publisher = Selectable<TrustedPublisherTable>

const columns = [
  ...['trustedPublisher.id', 'trustedPublisher.accountId', 'trustedPublisher.itemId', 'trustedPublisher.kind'],
  ...['trustedPublisher.slug', 'trustedPublisher.issuer', 'trustedPublisher.repository', 'trustedPublisher.workflow'],
  ...['trustedPublisher.ref', 'trustedPublisher.environment', 'trustedPublisher.repositoryId'],
  ...['trustedPublisher.repositoryOwnerId', 'trustedPublisher.createdAt', 'trustedPublisher.lastUsedAt'],
] as const

const publishers = (db: Db) => db.selectFrom('trustedPublisher').select(columns)

/** With the account that each publishes as, and the name that its item has now; oldest first. */
export function listPublishers(db: Db, of: { itemId: string } | { accountId: string }) {
  return publishers(db)
    .innerJoin('user', 'user.id', 'trustedPublisher.accountId')
    .leftJoin('libraryItem', 'libraryItem.id', 'trustedPublisher.itemId')
    .select(['user.username', 'libraryItem.slug as itemSlug'])
    .where((e) => e.and(of))
    .orderBy('trustedPublisher.createdAt')
    .orderBy('trustedPublisher.id')
    .execute()
}

/** Those of an item, or those that wait for a name; oldest first. */
export function listLetting(db: Db, of: { itemId: string } | { kind: string; slug: string }): Promise<Publisher[]> {
  return publishers(db)
    .where((e) => ('itemId' in of ? e('itemId', '=', of.itemId) : e.and({ ...of }).and('itemId', 'is', null)))
    .orderBy('trustedPublisher.createdAt')
    .orderBy('trustedPublisher.id')
    .execute()
}

export const findPublisher = (db: Db, id: string): Promise<Publisher | undefined> =>
  publishers(db).where('trustedPublisher.id', '=', id).executeTakeFirst()

export const countOf = (db: Db, of: { itemId: string } | { accountId: string }): Promise<number> =>
  countRows(db.selectFrom('trustedPublisher').where((e) => e.and(of)))

export const insertPublisher = inTransaction.insertInto('trustedPublisher')

/** Notes a use, and the ids of the repository at the first one; false where there is none, or it has other ids. */
export async function updateUse(
  db: Transaction,
  id: string,
  { run, now }: { run: Pick<CiRun, 'repositoryId' | 'repositoryOwnerId'>; now: string },
): Promise<boolean> {
  const { repositoryId, repositoryOwnerId } = run
  const changed = db
    .updateTable('trustedPublisher')
    .set({ repositoryId, repositoryOwnerId, lastUsedAt: now })
    .where('id', '=', id)
    .where((e) => e.or([e('repositoryId', 'is', null), e('repositoryId', '=', repositoryId)]))
    .where((e) => e.or([e('repositoryOwnerId', 'is', null), e('repositoryOwnerId', '=', repositoryOwnerId)]))
  return (await countChanged(changed)) === 1
}

/** What an account named for a name is of the item that has it from now on. */
export async function linkPublishers(
  db: Transaction,
  { itemId, ...of }: Pick<Publisher, 'accountId' | 'kind' | 'slug'> & { itemId: string },
): Promise<void> {
  await db
    .updateTable('trustedPublisher')
    .set({ itemId })
    .where((e) => e.and(of))
    .where('itemId', 'is', null)
    .execute()
}

export const insertPublishingGrant = inTransaction.insertInto('publishingGrant')

/** The publisher that a grant was made for, and the run. */
export function findPublishing(db: Db, grantId: string) {
  return publishers(db)
    .innerJoin('publishingGrant', 'publishingGrant.publisherId', 'trustedPublisher.id')
    .select('publishingGrant.run')
    .where('publishingGrant.grantId', '=', grantId)
    .executeTakeFirst()
}

/** Locks a publisher until the transaction ends. */
export const lockPublisher = (db: Transaction, id: string): Promise<Publisher | undefined> =>
  locking(db, publishers(db).where('trustedPublisher.id', '=', id)).executeTakeFirst()

/** Deletes publishers with their grants, whose tokens end. Gives how many there were. */
export async function deletePublishers(
  db: Db,
  of: { id: string } | { accountId: string; itemId: string } | { accountId: string },
): Promise<number> {
  const ids = db
    .selectFrom('trustedPublisher')
    .select('id')
    .where((e) => e.and(of))
  const grants = db.selectFrom('publishingGrant').select('grantId').where('publisherId', 'in', ids)
  for (const { grantId } of await grants.execute()) await deleteGrant(db, grantId)
  return countChanged(db.deleteFrom('trustedPublisher').where((e) => e.and(of)))
}

const staged = prepared(
  (db, given: Bind<{ itemId: string }>) =>
    db.selectFrom('stagedItem').select('since').where('itemId', '=', given('itemId')),
  { cached: true },
)

/** Since when an item is only staged; undefined for others. */
export const findStaged = async (db: Db, itemId: string): Promise<string | undefined> =>
  (await staged(db, { itemId })).rows[0]?.since

export async function insertStaged(db: Transaction, row: { itemId: string; since: string }): Promise<void> {
  await db
    .insertInto('stagedItem')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const deleteStaged = inTransaction.deleteFrom('stagedItem', 'itemId')
