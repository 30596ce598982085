// People of imports as their source knows them, and the placeholders that were taken over, as they are stored.
import { sql } from 'kysely'
import { countChanged, locking } from '../../database/engine.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, ImportClaimTable, ImportedPersonTable, Transaction } from '../../database/schema.ts'
import { standing } from '../../identity/account-queries.ts'

type Key = Pick<ImportedPersonTable, 'scope' | 'sourceId'>
const personColumns = ['scope', 'sourceId', 'accountId', 'nameKey', 'claimedAt'] as const

export const insertPerson = inTransaction.insertInto('importedPerson')

/** A person of a source who has, or had, a placeholder here. */
export const findPerson = (db: Db, { scope, sourceId }: Key): Promise<ImportedPersonTable | undefined> =>
  db
    .selectFrom('importedPerson')
    .select(personColumns)
    .where((e) => e.and({ scope, sourceId }))
    .executeTakeFirst()

export async function deletePerson(db: Transaction, { scope, sourceId }: Key): Promise<void> {
  await db
    .deleteFrom('importedPerson')
    .where((e) => e.and({ scope, sourceId }))
    .execute()
}

/** Notes that a person was taken over; false where that happened before. */
export const claimPerson = async (db: Transaction, { scope, sourceId }: Key, claimedAt: string): Promise<boolean> =>
  (await countChanged(
    db
      .updateTable('importedPerson')
      .set({ claimedAt })
      .where((e) => e.and({ scope, sourceId }))
      .where('claimedAt', 'is', null),
  )) === 1

/** A person whom some account may take over, with the placeholder and the import. */
export interface Offered extends Pick<ImportedPersonTable, 'scope' | 'sourceId' | 'accountId'> {
  id: string
  username: string | null
  name: string | null
  importId: string
}

interface ClaimFilter {
  /** Scopes as they are, and beginnings of scopes. */
  scopes: readonly string[]
  sources: readonly string[]
  ids: readonly string[]
  names: readonly string[]
  limit: number
}

/** Whether no one has entered an account: it has no way in but a code to its address. */
const hasNoWayIn = sql<boolean>`"user"."emailVerifiedAt" is null and "user"."passwordHash" is null
  and not exists (select 1 from "externalIdentity" e where e."userId" = "user".id)
  and not exists (select 1 from "passkey" p where p."userId" = "user".id)
  and not exists (select 1 from "scimUser" s where s."userId" = "user".id)`

/** Whether an account is the placeholder of a person still: no one entered it, or took the person over. */
export async function isPlaceholder(db: Db, id: string, person: Key): Promise<boolean> {
  if ((await findPerson(db, person))?.claimedAt != null) return false
  const account = db.selectFrom('user').select('id').where('id', '=', id).where(hasNoWayIn)
  return (await account.executeTakeFirst()) !== undefined
}

/** Placeholders of people with these ids, or of these names where their record has no id: with no way in, and with no role. */
export function listOffered(db: Db, { scopes, sources, ids, names, limit }: ClaimFilter): Promise<Offered[]> {
  const offered = db
    .selectFrom('importedPerson as person')
    .innerJoin('imported', (join) =>
      join
        .onRef('imported.scope', '=', 'person.scope')
        .onRef('imported.sourceId', '=', 'person.sourceId')
        .on('imported.type', '=', 'user'),
    )
    .innerJoin('user', 'user.id', 'imported.thingId')
    .select(['person.scope', 'person.sourceId', 'person.accountId', 'imported.importId'])
    .select(['user.id', 'user.username', 'user.name'])
    .where('person.claimedAt', 'is', null)
    .where((e) =>
      e.or([
        ...(ids.length > 0 ? [e('person.accountId', 'in', ids)] : []),
        ...(names.length > 0 ? [e.and([e('person.accountId', 'is', null), e('person.nameKey', 'in', names)])] : []),
      ]),
    )
    .where((e) =>
      e.or([
        ...(scopes.length > 0 ? [e('person.scope', 'in', scopes)] : []),
        ...sources.map((source) =>
          e.and([e('person.scope', '>=', `${source} `), e('person.scope', '<', `${source}!`)]),
        ),
      ]),
    )
  return offered
    .where(hasNoWayIn)
    .where('user.blockedAt', 'is', null)
    .where('user.deletionAt', 'is', null)
    .where('user.role', '=', 'member')
    .orderBy('person.scope')
    .orderBy('person.sourceId')
    .limit(limit)
    .execute()
}

/** Who an account proved to be at the places of trackers that are linked now. */
export const listProvenAt = (
  db: Db,
  userId: string,
): Promise<
  { source: string; name: string; host: string; personId: string; login: string; linkedAt: string | null }[]
> =>
  db
    .selectFrom('trackerAccount')
    .innerJoin('tracker', 'tracker.source', 'trackerAccount.service')
    .select(['tracker.source', 'tracker.name', 'host', 'personId', 'login', 'linkedAt'])
    .where('userId', '=', userId)
    .where('linkedAt', 'is not', null)
    .where(standing('trackerAccount'))
    .orderBy('tracker.createdAt')
    .execute()

/** The imports of a source and name, locked until the transaction ends. */
export const lockImportsOf = (
  db: Transaction,
  { source, name }: { source: string; name: string },
): Promise<{ id: string; state: string }[]> =>
  locking(
    db,
    db
      .selectFrom('import')
      .select(['id', 'state'])
      .where((e) => e.and({ source, name }))
      .orderBy('id'),
  ).execute()

export const insertClaim = inTransaction.insertInto('importClaim')

/** Claims that wait, the longest first. */
export const listClaims = (db: Db, limit: number): Promise<{ key: string; since: string }[]> =>
  db
    .selectFrom('importClaim')
    .select(['placeholderId as key', 'createdAt as since'])
    .orderBy('createdAt')
    .limit(limit)
    .execute()

export const findClaim = (db: Db, placeholderId: string): Promise<ImportClaimTable | undefined> =>
  db
    .selectFrom('importClaim')
    .select(['placeholderId', 'scope', 'sourceId', 'userId', 'createdAt'])
    .where('placeholderId', '=', placeholderId)
    .executeTakeFirst()

export const deleteClaim = inTransaction.deleteFrom('importClaim', 'placeholderId')

/** What an account that is erased took over goes where its own goes; gives how many there were. */
export const replaceClaims = (
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> => {
  const some = db.selectFrom('importClaim').select('placeholderId').where('userId', '=', from).limit(limit)
  return countChanged(db.updateTable('importClaim').set({ userId: to }).where('placeholderId', 'in', some))
}

/** Forgets who the people of an account are at their sources, before it is erased; gives how many there were. */
export const deletePeopleOf = (db: Db, userId: string, limit: number): Promise<number> => {
  const some = db
    .selectFrom('importedPerson as person')
    .innerJoin('imported', (join) =>
      join.onRef('imported.scope', '=', 'person.scope').onRef('imported.sourceId', '=', 'person.sourceId'),
    )
    .select(['person.scope', 'person.sourceId'])
    .where('imported.thingId', '=', userId)
    .where('imported.type', '=', 'user')
    .limit(limit)
  return countChanged(
    db
      .deleteFrom('importedPerson')
      .where((row) => row(row.refTuple('scope', 'sourceId'), 'in', some.$asTuple('scope', 'sourceId'))),
  )
}
