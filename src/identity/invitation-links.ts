// Links that invite: their secret, the cookie that carries it through a sign-up, and their use. Only a keyed hash of the secret is stored. A link has the
// power of who made it: it ends when that account is no admin any more.
import { record } from '../audit/audit.ts'
import { Problem } from '../contract/problem.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { cookieLine, cookieNamed } from '../request/credentials.ts'
import type { Context } from '../request/handler.ts'
import { keyedHash } from '../runtime/hash.ts'
import { newToken } from '../runtime/ids.ts'
import type { User } from './account-queries.ts'
import { signUpActions } from './audit-actions.ts'
import { insertBoardMember, isBoardMember } from './board-member-queries.ts'
import * as queries from './invitation-queries.ts'
import { changeRole } from './roles.ts'
import { addOwnBoard } from './scim-queries.ts'

const COOKIE = 'guildhall_invitation'
const COOKIE_SECONDS = 3600
const FORM = /^ginvite_[\w-]{20,100}$/

type Secrets = Pick<Context, 'secretFor'>
type LinkContext = Secrets & Pick<Context, 'cookie' | 'config' | 'now'>
type UseContext = LinkContext & Pick<Context, 'reply' | 'outbox' | 'address'>

const hashOf = async ({ secretFor }: Secrets, key: string) => keyedHash(await secretFor('invitation links'), key)

/** The secret of a new link, and what is stored of it. */
export async function newLinkKey(secrets: Secrets): Promise<{ key: string; tokenHash: string }> {
  const key = `ginvite_${newToken()}`
  return { key, tokenHash: await hashOf(secrets, key) }
}

const keyIn = ({ cookie, config }: Pick<LinkContext, 'cookie' | 'config'>) =>
  cookie(cookieNamed(config.baseUrl, COOKIE))

/** Whether this browser has a secret, good or not. */
export const carriesLink = (context: LinkContext): boolean => keyIn(context) !== undefined

/** What is stored of the secret that this browser has; undefined without one. */
async function carried(context: LinkContext): Promise<string | undefined> {
  const key = keyIn(context)
  return key !== undefined && FORM.test(key) ? hashOf(context, key) : undefined
}

/** The link of this secret, or of this browser; undefined where it is not good. */
export async function findLink(context: LinkContext, db: Db, key?: string) {
  const given = key === undefined ? await carried(context) : FORM.test(key) ? await hashOf(context, key) : undefined
  return given === undefined ? undefined : queries.findGoodLink(db, { tokenHash: given, now: context.now })
}

/** Lets this browser carry the secret through a sign-up. */
export function carryLink({ config, reply }: Pick<Context, 'config' | 'reply'>, key: string): void {
  reply.append('Set-Cookie', cookieLine(config.baseUrl, COOKIE, { value: key, seconds: COOKIE_SECONDS }))
}

/** The account uses the link that its browser carries, if that is good; the account is new, or locked. Its mailbox is proven. */
export async function useLink(context: UseContext, db: Transaction, user: User): Promise<User | undefined> {
  const { now, config, reply, address } = context
  const tokenHash = await carried(context)
  if (tokenHash === undefined || (await queries.hasUsed(db, { tokenHash, userId: user.id }))) return undefined
  const link = await queries.countUse(db, { tokenHash, now })
  if (!link) return undefined
  await queries.insertUse(db, { linkId: link.id, userId: user.id, usedAt: now })
  reply.append('Set-Cookie', cookieLine(config.baseUrl, COOKIE, { value: '', seconds: 0 }))
  const { boardId } = link
  if (boardId !== null) {
    await insertBoardMember(db, { boardId, userId: user.id, createdAt: now })
    await addOwnBoard(db, { boardId, userId: user.id })
  }
  const act = { action: signUpActions['use-link'], actorId: user.id, targetId: link.id, address }
  await record(db, now, { ...act, ...(boardId !== null && { detail: { boardId } }) })
  if (link.role !== 'moderator' || user.role === 'admin') return user
  return changeRole({ ...context, db }, user, { role: link.role, actorId: link.createdById, now })
}

/** Whether a link gives an account anything: the role of a moderator, or a board. */
export async function givesAnything(
  db: Db,
  { role, boardId }: Pick<queries.InvitationLink, 'role' | 'boardId'>,
  user: Pick<User, 'id' | 'role'>,
): Promise<boolean> {
  if (role === 'moderator' && user.role === 'member') return true
  return boardId !== null && !(await isBoardMember(db, { boardId, userId: user.id }))
}

/** What a caller hears whose link is not good, for any reason. */
export const noSuchLink = (): Problem =>
  new Problem('not_found', 'This invitation is not good, or no longer; ask for another one')
