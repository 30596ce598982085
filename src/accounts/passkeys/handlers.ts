// Passkeys: the device's response is checked first, then the challenge is used up and the change made in one transaction.
import { record } from '../../audit/audit.ts'
import { addressKey } from '../../budgets/budgets.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { passkeyNeeded } from '../../core/authorize.ts'
import type { Transaction } from '../../database/schema.ts'
import { getUser, lockUser, type User, updateSession } from '../../identity/account-queries.ts'
import { passkeyActions } from '../../identity/audit-actions.ts'
import { limit } from '../../identity/guesses.ts'
import { passkeyMail } from '../../identity/mails.ts'
import type { StoredPasskey } from '../../identity/passkey-queries.ts'
import * as queries from '../../identity/passkey-queries.ts'
import { limits } from '../../identity/rules.ts'
import { lockCaller, requireRecent } from '../../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import { signIn } from '../sign-in/entry.ts'
import { checkAssertion, giveChallenge, refused, takeChallenge, usePasskey } from './assertions.ts'
import { challengeIn, creationOptions, requestOptions, verifyRegistration } from './ceremonies.ts'
import type { Passkey, passkeys, Registration } from './contract.ts'
import { CHALLENGE_SECONDS, MAX_PASSKEYS, USUAL_NAME } from './rules.ts'

const tooMany = () => new Problem('conflict', `An account has at most ${MAX_PASSKEYS} passkeys; remove one first`)

export const handlers: Handlers<typeof passkeys> = {
  async beginRegistration(context) {
    const { db, caller, config, now } = context
    await limit(context, `passkey-options:${caller.id}`, limits.passkeyByAccount)
    await requireRecent(context, db)
    const passkeys = await queries.listPasskeys(db, caller.id)
    if (passkeys.length >= MAX_PASSKEYS) throw tooMany()
    if (caller.withheld && passkeys.length > 0) throw passkeyNeeded()
    const { id, email, name } = await getUser(db, caller.id)
    const challenge = await giveChallenge(db, { purpose: 'register', userId: id }, now)
    return creationOptions(config, { id, email, name, passkeys }, challenge)
  },

  async register(context, { name = USUAL_NAME, response }) {
    await limit(context, `passkey:${context.caller.id}`, limits.passkeyByAccount)
    const key = await verifyRegistration(context.config.baseUrl, response)
    const outcome = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      await requireRecent(context, db, CHALLENGE_SECONDS)
      const bound = { purpose: 'register', userId: user.id } as const
      const asked = { challenge: challengeIn(response), bound, now: context.now }
      if (!(await takeChallenge(db, asked)) || !key) {
        return new Problem('invalid_request', 'response: is invalid or has expired; start again')
      }
      return addPasskey(context, db, { user, name, key, transports: response.response.transports })
    })
    if (outcome instanceof Problem) throw outcome
    return shown(outcome)
  },

  async list({ db, caller }) {
    return { items: (await queries.listPasskeys(db, caller.id)).map(shown) }
  },

  async rename(context, { id, name }) {
    return context.db.transaction().execute(async (db) => {
      const { id: userId } = await lockCaller(context, db)
      const passkey = await queries.updatePasskey(db, { id, userId }, { name })
      if (!passkey) throw new Problem('not_found', 'No such passkey')
      await remember(context, db, { action: passkeyActions.rename, passkey })
      return shown(passkey)
    })
  },

  async remove(context, { id }) {
    return context.db.transaction().execute(async (db) => {
      const { id: userId } = await lockCaller(context, db)
      await requireRemovable(context, db)
      const passkey = await queries.deletePasskey(db, { id, userId })
      if (!passkey) throw new Problem('not_found', 'No such passkey')
      await remember(context, db, { action: passkeyActions.remove, passkey })
      return { id }
    })
  },

  async beginSignIn(context) {
    const { db, config, now } = context
    await limit(context, `passkey-challenge:${addressKey(context.address)}`, limits.challengeByAddress)
    return requestOptions(config.baseUrl, await giveChallenge(db, { purpose: 'sign-in', userId: null }, now))
  },

  async signIn(context, { response }) {
    await limit(context, `sign-in:${addressKey(context.address)}`, limits.signInByAddress)
    const checked = await checkAssertion(context, response)
    const outcome = await context.db.transaction().execute(async (db) => {
      const user = checked.passkey && (await lockUser(db, { id: checked.passkey.userId }))
      const bound = { purpose: 'sign-in', userId: null } as const
      const isGood = await usePasskey(context, db, { response, checked, bound, user })
      if (!isGood || !user) return refused()
      if (user.blockedAt) return new Problem('blocked', 'This account is blocked')
      return signIn(context, db, { user, passkeyId: required(checked.passkey).id })
    })
    if (outcome instanceof Problem) throw outcome
    return outcome
  },
}

/** Where a role needs a passkey, removing one does too, and the last one stays. */
async function requireRemovable({ caller, config }: Context<Caller>, db: Transaction): Promise<void> {
  if (caller.withheld) throw passkeyNeeded()
  const isLast =
    config.rolesNeedPasskey && caller.role !== 'member' && (await queries.countPasskeys(db, caller.id)) === 1
  if (isLast) throw new Problem('conflict', 'Your role needs a passkey here; add another one first')
}

const shown = ({ id, name, createdAt, lastUsedAt }: StoredPasskey): Passkey => ({ id, name, createdAt, lastUsedAt })

interface NewPasskey {
  user: User
  name: string
  key: NonNullable<Awaited<ReturnType<typeof verifyRegistration>>>
  transports: Registration['response']['transports']
}

async function addPasskey(context: Context<Caller>, db: Transaction, { user, name, key, transports = [] }: NewPasskey) {
  const { outbox, config, now, caller } = context
  const count = await queries.countPasskeys(db, user.id)
  if (count >= MAX_PASSKEYS) return tooMany()
  // The first one is that of who is signed in; from then on a password is not enough to add another.
  if (caller.withheld && count > 0) return passkeyNeeded()
  const passkey = await queries.insertPasskey(db, {
    ...key,
    id: newId(),
    userId: user.id,
    transports: JSON.stringify(transports),
    name,
    createdAt: now,
    lastUsedAt: null,
  })
  if (!passkey) return new Problem('conflict', 'This passkey is registered already')
  if ('session' in caller.via) await updateSession(db, caller.via.session, { passkeyId: passkey.id })
  await remember(context, db, { action: passkeyActions.add, passkey })
  await outbox.enqueue(db, { recipient: user.email, ...passkeyMail(config.baseUrl) })
  return passkey
}

function remember(
  { now, address }: Context,
  db: Transaction,
  { action, passkey }: { action: AuditAction; passkey: StoredPasskey },
): Promise<void> {
  const { id, userId, name } = passkey
  const act = { action, actorId: userId, targetType: 'user', targetId: userId }
  return record(db, now, { ...act, detail: { passkey: id, name }, address })
}
