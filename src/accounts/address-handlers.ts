// Handlers for a change of address. Two accounts that take one address at once meet in the unique index of the database.
import { record } from '../audit/audit.ts'
import { Problem } from '../contract/problem.ts'
import { isUniqueViolation } from '../database/engine.ts'
import type { Transaction } from '../database/schema.ts'
import * as queries from '../identity/account-queries.ts'
import * as changes from '../identity/address-queries.ts'
import { accountActions } from '../identity/audit-actions.ts'
import { mailCodeTo, takeCode } from '../identity/codes.ts'
import { endCodes } from '../identity/credentials.ts'
import { movedAwayMail, movedHereMail, undoneMail } from '../identity/mails.ts'
import { changeRole } from '../identity/roles.ts'
import { lockCaller, requireRecent } from '../identity/sessions.ts'
import { removeWaysIn } from '../identity/verify-email.ts'
import { deleteBounceOf } from '../mail/queries.ts'
import type { Caller, Context, Handlers } from '../request/handler.ts'
import { after } from '../runtime/clock.ts'
import { sha256 } from '../runtime/hash.ts'
import { newId, newToken } from '../runtime/ids.ts'
import type { address } from './address-contract.ts'
import { accountOf } from './sign-in/entry.ts'

const UNDO_SECONDS = 7 * 86_400
/** For the code to arrive and to be typed. */
const GRACE_SECONDS = 600
const PURPOSE = 'change-email'

const taken = () => new Problem('conflict', 'email: another account has this address')

/** The unique index decides between two accounts that take one address at once. */
const decided = <T>(change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken() : error
  })

export const handlers: Handlers<typeof address> = {
  async sendCode(context, { email }) {
    await requireRecent(context, context.db)
    await mailCodeTo(context, { purpose: PURPOSE, email, ownerId: context.caller.id })
    return { message: `If ${email} can receive mail, a code is on its way` }
  },

  async change(context, { email, code }) {
    const changed = await decided(
      context.db.transaction().execute(async (db) => {
        const user = await lockCaller(context, db)
        await requireRecent(context, db, GRACE_SECONDS)
        if (email === user.email) throw new Problem('invalid_request', 'email: is the address of this account already')
        if (!(await takeCode(context, db, { purpose: PURPOSE, email, code, ownerId: user.id }))) return undefined
        return moveTo(context, db, { user, email })
      }),
    )
    if (!changed) throw new Problem('invalid_request', 'code: is wrong or no longer good; ask for a new one')
    return { user: accountOf(changed) }
  },

  async undo(context, { token }) {
    const { db, now } = context
    const tokenHash = sha256(token)
    const found = await changes.findChange(db, tokenHash, now)
    if (!found) throw new Problem('not_found', 'This link is not valid any more')
    await decided(
      db.transaction().execute(async (transaction) => {
        const user = await queries.lockUser(transaction, { id: found.userId })
        const change = await changes.findChange(transaction, tokenHash, now)
        if (!user || !change) throw new Problem('not_found', 'This link is not valid any more')
        await moveBack(context, transaction, { user, change })
      }),
    )
    return { email: found.oldEmail }
  },
}

async function moveTo(
  context: Context<Caller>,
  db: Transaction,
  { user, email }: { user: queries.User; email: string },
): Promise<queries.User> {
  const { now, address: from, outbox, config } = context
  const isTaken =
    (await queries.findUserByEmail(db, email)) || (await changes.isReserved(db, email, { now, userId: user.id }))
  if (isTaken) throw taken()
  const token = user.emailVerifiedAt === null ? null : newToken()
  if (token !== null && user.emailVerifiedAt !== null) {
    const old = { oldEmail: user.email, oldVerifiedAt: user.emailVerifiedAt, oldVerifiedBy: user.emailVerifiedBy }
    const times = { changedAt: now, undoUntil: after(now, UNDO_SECONDS) }
    const kept = { id: newId(), userId: user.id, ...old, role: user.role, tokenHash: sha256(token), ...times }
    await changes.insertChange(db, kept)
  }
  await endCodes(db, user)
  const verified = { email, emailVerifiedAt: now, emailVerifiedBy: 'change', updatedAt: now } as const
  const changed = await queries.updateIndexed(db, user.id, verified)
  await deleteBounceOf(db, user.email)
  const act = { action: accountActions['change-email'], actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, address: from })
  const told = { from: user.email, to: email }
  const { language } = user
  await outbox.enqueue(db, { recipient: user.email, language, ...movedAwayMail(config.baseUrl, { ...told, token }) })
  await outbox.enqueue(db, { recipient: email, language, ...movedHereMail(config.baseUrl, told) })
  return changed
}

/** The account is as its owner had it, without what could sign in to it. It has no greater role than before the change. */
async function moveBack(
  { now, address: from, outbox, config }: Context,
  db: Transaction,
  { user, change }: { user: queries.User; change: changes.EmailChange },
): Promise<void> {
  const { oldEmail, oldVerifiedAt, oldVerifiedBy, role, changedAt } = change
  // Where a role needs a passkey, those from before the change stay: the old mailbox alone is no way to the role.
  const passkeysSince = config.rolesNeedPasskey && user.role !== 'member' ? changedAt : undefined
  await removeWaysIn(db, user, { now, passkeysSince })
  await endCodes(db, { id: user.id, email: oldEmail })
  await changes.deleteChangesSince(db, change)
  const restored = {
    email: oldEmail,
    emailVerifiedAt: oldVerifiedAt,
    emailVerifiedBy: oldVerifiedBy,
    passwordHash: null,
  }
  const back = await queries.updateIndexed(db, user.id, { ...restored, updatedAt: now })
  await deleteBounceOf(db, user.email)
  if (back.role === 'admin' && role !== 'admin') {
    await changeRole({ outbox, config, db }, back, { role, actorId: null, now })
  }
  const act = { action: accountActions['undo-email-change'], actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, address: from })
  const told = undoneMail(config.baseUrl, { from: oldEmail, to: user.email })
  for (const recipient of [oldEmail, user.email]) {
    await outbox.enqueue(db, { recipient, language: user.language, ...told })
  }
}
