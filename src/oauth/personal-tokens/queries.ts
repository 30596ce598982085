// How personal access tokens are stored. Locks are taken in one order: account, grant, token.
import type { Selectable } from 'kysely'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, PersonalTokenTable } from '../../database/schema.ts'
import { callerColumns, standing } from '../../identity/account-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { keyedHash } from '../../runtime/hash.ts'

const columns = ['id', 'userId', 'name', 'scope', 'createdAt', 'lastUsedAt', 'expiresAt'] as const
export type PersonalToken = Pick<Selectable<PersonalTokenTable>, (typeof columns)[number]>

/** What a token is stored as: its keyed hash. The key is not in the database. */
export const personalTokenHash = async ({ secretFor }: Pick<Dependencies, 'secretFor'>, token: string) =>
  keyedHash(await secretFor('personal tokens'), token)

export const insertPersonalToken = inTransaction.insertInto('personalToken')

/** Those that have not expired, newest first. */
export function listPersonalTokens(db: Db, userId: string, now: string): Promise<PersonalToken[]> {
  const own = db.selectFrom('personalToken').select(columns).where('userId', '=', userId).where('expiresAt', '>', now)
  return own.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

export function findPersonalToken(db: Db, by: { id: string } | { hash: string }): Promise<PersonalToken | undefined> {
  return db
    .selectFrom('personalToken')
    .select(columns)
    .where((e) => e.and(by))
    .executeTakeFirst()
}

const callerByHash = prepared(
  (db, given: Bind<{ hash: string }>) =>
    db
      .selectFrom('personalToken')
      .innerJoin('user', 'user.id', 'personalToken.userId')
      .innerJoin('grant', 'grant.id', 'personalToken.id')
      .select([
        ...callerColumns,
        'personalToken.id as tokenId',
        'personalToken.scope',
        'personalToken.createdAt as issuedAt',
        'personalToken.lastUsedAt',
        'personalToken.expiresAt',
        'grant.bounds',
      ])
      .where('personalToken.hash', '=', given('hash'))
      .where(standing('grant')),
  { cached: true },
)

/** The account of a token: one indexed look-up, cached until the next commit. The time is compared by the caller. */
export async function findCallerOf(db: Db, hash: string) {
  return (await callerByHash(db, { hash })).rows[0]
}

/** Notes a use, unless one was noted after `before`: of many requests at once one writes. */
export async function updateLastUse(db: Db, id: string, { now, before }: { now: string; before: string }) {
  await db
    .updateTable('personalToken')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where((e) => e.or([e('lastUsedAt', 'is', null), e('lastUsedAt', '<', before)]))
    .execute()
}
