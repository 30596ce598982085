// What is asked of grants that are open: who signed in for one, and which one lets a client stay.
import type { Db } from '../database/schema.ts'
import { standing } from './account-queries.ts'
import { grantColumns } from './grant-queries.ts'

/** When the person signed in to the session in which a grant was opened, while that is open; undefined for one that no session opened. */
export function findSignInOf(db: Db, { grantId, now }: { grantId: string; now: string }) {
  return db
    .selectFrom('grant')
    .innerJoin('session', 'session.id', 'grant.sessionId')
    .select('session.createdAt as signedInAt')
    .where('grant.id', '=', grantId)
    .where('session.expiresAt', '>', now)
    .executeTakeFirst()
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
