// Accounts of a filled database, and sessions of the first of them.
import { sha256 } from '../../src/runtime/hash.ts'
import type { Filling, Row } from './filling.ts'
import { each, idOf, moment } from './made-up.ts'

/** So many accounts are signed in. */
export const SESSIONS = 200

export const userId = (index: number): string => idOf('8000', index)

/** The cookie of an account, one of the first of them. */
export const cookieOf = (index: number): string => `guildhall_session=bench-session-${index}`
/** That of the account that signs in for most measurements. */
export const cookie = cookieOf(0)

/** Adds accounts, the first of which is an admin if asked for. `changed` replaces columns of a row. */
export async function addAccounts(
  into: Filling,
  count: number,
  changed: (index: number) => Partial<Row> = () => ({}),
): Promise<void> {
  const user = (index: number) => {
    const name = `user${index}`
    const names = { name, username: name, usernameKey: name }
    const times = { createdAt: moment(0), updatedAt: moment(0) }
    const row = { id: userId(index), email: `${name}@example.com`, ...names, role: 'member', ...times }
    return { ...row, ...changed(index) } as Row
  }
  await into.add('user', each(count, user))
  const now = new Date().toISOString()
  const [expiresAt, authenticatedAt] = ['2099-01-01T00:00:00.000Z', now]
  await into.add(
    'session',
    each(Math.min(SESSIONS, count), (index) => ({
      ...{ id: `bench-${index}`, tokenHash: sha256(`bench-session-${index}`), userId: userId(index) },
      ...{ createdAt: now, expiresAt, seenAt: now, authenticatedAt },
    })),
  )
  // What a trigger counts (migrations/0001-start/triggers.ts).
  await into.run(`insert into counter (key, count)
    select 'account/all/' || role || '/open/', count(*) from "user" where "blockedAt" is null group by 1`)
}
