// The accounts of the widget: one for each person of a site, and one for all guests. They are made at their first use, and found by the site and the subject alone:
// an address that a site names finds no account, and takes none over.
import { isReserved } from '../../content/reserved-names.ts'
import { WIDGET_CLIENT } from '../../contract/own-clients.ts'
import { Problem } from '../../contract/problem.ts'
import { isUniqueViolation, lockName } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { findUserByUsername, getUser, type User, updateIndexed } from '../../identity/account-queries.ts'
import { createHostedAccount } from '../../identity/joining.ts'
import { callerOf } from '../../identity/sessions.ts'
import { usernameIn } from '../../identity/usernames.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newToken } from '../../runtime/ids.ts'
import type { Identity } from './identity.ts'
import * as queries from './queries.ts'

type AccountContext = Pick<Context, 'db' | 'config' | 'now'>

interface WidgetPerson extends Pick<Identity, 'site' | 'subject' | 'name'> {
  /** The address that it gets, proven, where no account has it. */
  email?: string | undefined
  username: string
}

const GUEST: WidgetPerson = { site: '', subject: 'guest', name: 'Guest', username: 'guest' }
const [SHORTEST, LONGEST] = [3, 16]

/** A username of the letters of a name. */
export function usernameOf(name: string | null): string {
  const whole = usernameIn(name ?? '', LONGEST).toLowerCase()
  return whole.length < SHORTEST || isReserved(whole) ? 'member' : whole
}

/** The account of a person of a site. */
export const accountOf = (context: AccountContext, identity: Identity): Promise<User> =>
  findOrMake(context, {
    ...identity,
    email: context.config.widgetEmails ? identity.email : undefined,
    username: usernameOf(identity.name),
  })

/** Guests together, as the one who calls: all that they write waits for a moderator. Throws `forbidden` where their account is, or is on its way out. */
export async function guestOf(context: AccountContext): Promise<Caller> {
  const user = await findOrMake(context, GUEST)
  if (user.blockedAt !== null || user.deletionAt !== null)
    throw new Problem('forbidden', 'Reports of guests are not taken here')
  const account = { ...user, externalGroups: null, trust: 0 }
  return { ...callerOf(account, { scopes: [], clientId: WIDGET_CLIENT, grantId: null }), held: true }
}

const TRIES = 3

async function findOrMake(context: AccountContext, wanted: WidgetPerson): Promise<User> {
  const { db } = context
  const found = await queries.findIdentity(db, wanted)
  if (found) return getUser(db, found.userId)
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction().execute((transaction) => make(context, transaction, wanted))
    } catch (error) {
      // A member took the name or the address in the meantime.
      if (!isUniqueViolation(error) || tried === TRIES) throw error
    }
  }
}

async function make(
  { now, config }: AccountContext,
  db: Transaction,
  { site, subject, name, email, username: wished }: WidgetPerson,
): Promise<User> {
  await lockName(db, 'widget accounts')
  const there = await queries.findIdentity(db, { site, subject })
  if (there) return getUser(db, there.userId)
  const made = await createHostedAccount({ now, config }, db, { name, email })
  const username = await freeName(db, wished)
  const user = await updateIndexed(db, made.id, { username, usernameKey: username.toLowerCase() })
  await queries.insertIdentity(db, { site, subject, userId: user.id, createdAt: now })
  return user
}

/** The name itself, or with some letters by chance. */
async function freeName(db: Db, wished: string): Promise<string> {
  if (wished !== 'member' && !(await findUserByUsername(db, wished))) return wished
  return `${wished}-${newToken()
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 6)
    .toLowerCase()}`
}
