// What is asked of grants that are open: who signed in for one, which one lets a client stay, and which one an issuer vouched for.
import type { Db, Transaction } from '../database/schema.ts'
import { standing } from './account-queries.ts'
import { type Grant, grantColumns, lockGrant } from './grant-queries.ts'

/** In the place of a session, for a grant that an issuer vouched for: no person showed a credential here. */
export const BY_ASSERTION = 'assertion'

/**
 * When the person last showed a credential for a grant, and how strong that was: at the sign-in of the session in which it was opened, while that is open; or when it was opened,
 * by a mailed code or for a personal token. Undefined for one that an issuer vouched for.
 */
export async function findSignInOf(
  db: Db,
  { grantId, now }: { grantId: string; now: string },
): Promise<{ signedInAt: string | undefined; acr: string | null }> {
  const found = await db
    .selectFrom('grant')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'grant.sessionId').on('session.expiresAt', '>', now))
    .select(['grant.sessionId', 'grant.createdAt', 'grant.acr', 'session.createdAt as signedInAt'])
    .where('grant.id', '=', grantId)
    .executeTakeFirst()
  const signedInAt = (found?.sessionId === null ? found.createdAt : found?.signedInAt) ?? undefined
  return { signedInAt, acr: found?.acr ?? null }
}

/** The newest grant of an account for a client in which it lets the client stay. */
export async function findStayingGrant(
  db: Db,
  { userId, clientId, now }: { userId: string; clientId: string; now: string },
) {
  const rows = await db
    .selectFrom('grant')
    .select(grantColumns)
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .where('lastUsedAt', 'is not', null)
    .where('expiresAt', '>', now)
    .where(standing('grant'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  return rows.find(({ scope }) => scope.split(' ').includes('offline_access'))
}

/**
 * The newest grant of an account for a client that an issuer vouched for, locked; undefined where none stands. All tokens of the client are of it, so
 * that bounds of a day count over all, and one end ends all. The account is locked.
 */
export async function findAssertedGrant(
  db: Transaction,
  { userId, clientId, now }: { userId: string; clientId: string; now: string },
): Promise<Grant | undefined> {
  const newest = await db
    .selectFrom('grant')
    .select('id')
    .where((e) => e.and({ userId, clientId, sessionId: BY_ASSERTION }))
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const grant = newest && (await lockGrant(db, newest))
  return grant && { ...grant, sessionId: BY_ASSERTION }
}
