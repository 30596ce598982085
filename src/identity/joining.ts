// Who may make an account: the one rule (SIGN_UP, SIGN_UP_DOMAINS), and the one place that makes one, for every way in. An agent's claim
// makes none.
import { Problem } from '../contract/problem.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { languageIn } from '../language/choice.ts'
import type { Context } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import { required } from '../runtime/untyped.ts'
import { findUserByEmail, insertUser, type User, updateUser } from './account-queries.ts'
import { deleteInvitation, findInvitation, isReserved } from './address-queries.ts'
import { findLink, useLink } from './invitation-links.ts'

export type JoinContext = Pick<Context, 'config' | 'now' | 'secretFor' | 'cookie'>
type FirstContext = Pick<Context, 'config' | 'now' | 'request' | 'cookie'>
type NewContext = FirstContext & JoinContext & Pick<Context, 'reply' | 'outbox' | 'address'>

/** Whether every address may join, with or without proof of its mailbox. */
export const isOpen = ({ signUp, signUpDomains }: Context['config']): boolean =>
  signUp === 'open' && signUpDomains.length === 0

/** Throws where an address must be proven before it has an account. */
export function requireOpen({ config }: Pick<JoinContext, 'config'>): void {
  if (!isOpen(config))
    throw new Problem('forbidden', 'Here an account is made with a mailed code, for addresses that may sign up')
}

/**
 * Whether an address may have a new account. Where not every address may, its mailbox must be proven first: anyone can type an address
 * of the company. Addresses of ADMIN_EMAILS always may, so that a new server has its first account.
 */
export async function mayJoin(context: JoinContext, db: Db, email: string): Promise<boolean> {
  return (await mayJoinAnyway(context, db, email)) || mayJoinByLink(context, db)
}

/** Whether the browser carries a link that is good. */
const mayJoinByLink = async (context: JoinContext, db: Db): Promise<boolean> =>
  context.config.signUp !== 'closed' && (await findLink(context, db)) !== undefined

/** The same, without the link that the browser carries. */
async function mayJoinAnyway(
  { config, now }: Pick<Context, 'config' | 'now'>,
  db: Db,
  email: string,
): Promise<boolean> {
  if (isOpen(config)) return true
  const isInvited = (await findInvitation(db, { email }, now)) !== undefined
  if (config.adminEmails.includes(email)) return true
  if (config.signUp === 'closed') return false
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return isInvited || (config.signUp === 'open' && config.signUpDomains.includes(domain))
}

interface NewAccount {
  email: string
  name: string | null
  passwordHash: string | null
  /** Whether the mailbox was proven in this request. */
  isProven: boolean
}

const NOT_HERE = 'This address may not sign up here'
const RESERVED = 'This address was that of an account until recently; the mail about the change undoes it'

/**
 * The new account, or undefined when its address is taken. Its invitation is used up, and so is a use of the link that its browser
 * carries. Its language is that of the sign-up, so that its first mails are in it; undefined becomes null, which follows the browser.
 */
export async function createAccount(
  context: NewContext,
  db: Transaction,
  { isProven, ...given }: NewAccount,
): Promise<User | undefined> {
  if (!isProven) requireOpen(context)
  const needsLink = !(await mayJoinAnyway(context, db, given.email))
  if (needsLink && !(await mayJoinByLink(context, db))) throw new Problem('forbidden', NOT_HERE)
  if (await isReserved(db, given.email, context)) {
    // Only the owner of the mailbox hears why.
    if (!isProven) return undefined
    throw new Problem('conflict', RESERVED)
  }
  const made = await insertUser(db, newUser(context, given))
  if (!made) return undefined
  await deleteInvitation(db, { email: given.email })
  if (!isProven) return made
  const invited = await useLink(context, db, made)
  // Another one took the last use since the first look.
  if (needsLink && !invited) throw new Problem('forbidden', NOT_HERE)
  return invited ?? made
}

/** The account of the set-up, whose address is proven: who may sign up is not asked. Refuses where another account came first. */
export async function createFirstAccount(
  context: FirstContext,
  db: Transaction,
  given: Pick<NewAccount, 'email' | 'name'>,
): Promise<User> {
  const made = await insertUser(db, newUser(context, { ...given, passwordHash: null }))
  if (!made) throw new Problem('conflict', 'This address has an account already; sign in instead')
  return made
}

/** The account that a company provisions: who may sign up is not asked. Its address is not proven by that. Undefined where that is taken. */
export async function createProvisionedAccount(
  { now }: Pick<JoinContext, 'now'>,
  db: Transaction,
  given: Pick<NewAccount, 'email' | 'name'>,
): Promise<User | undefined> {
  if (await isReserved(db, given.email, { now })) throw new Problem('conflict', RESERVED)
  const made = await insertUser(db, rowOf({ ...given, passwordHash: null }, { now, language: null }))
  if (made) await deleteInvitation(db, { email: given.email })
  return made
}

/**
 * The account of a person whom another site vouches for (community/widget): who may sign up is not asked. It gets the address only where no account
 * has it, it is invited to none and it makes no admin, and proven, for the operator said that the site proves addresses. Otherwise it has one where
 * no mail arrives.
 */
export async function createHostedAccount(
  { now, config }: Pick<JoinContext, 'now' | 'config'>,
  db: Transaction,
  { name, email }: { name: string | null; email: string | undefined },
): Promise<User> {
  const isFree =
    email !== undefined &&
    !config.adminEmails.includes(email) &&
    !(await isReserved(db, email, { now })) &&
    !(await findInvitation(db, { email }, now)) &&
    !(await findUserByEmail(db, email))
  const make = (address: string) =>
    insertUser(db, rowOf({ email: address, name, passwordHash: null }, { now, language: null }))
  // Another account may have taken it since the look.
  const proven = isFree ? await make(email) : undefined
  if (proven) return updateUser(db, proven.id, { emailVerifiedAt: now, emailVerifiedBy: 'external' })
  return required(await make(`${newId()}${NOWHERE}`))
}

/** No mail arrives there (RFC 2606, 2). */
const NOWHERE = '@widget.invalid'

const newUser = (context: FirstContext, given: Omit<NewAccount, 'isProven'>) =>
  rowOf(given, { now: context.now, language: languageIn(context) ?? null })

const rowOf = (given: Omit<NewAccount, 'isProven'>, { now, language }: { now: string; language: string | null }) => ({
  ...given,
  id: newId(),
  emailVerifiedAt: null,
  emailVerifiedBy: null,
  username: null,
  usernameKey: null,
  role: 'member' as const,
  blockedAt: null,
  avatarUpdatedAt: null,
  deletionAt: null,
  language,
  createdAt: now,
  updatedAt: now,
})
