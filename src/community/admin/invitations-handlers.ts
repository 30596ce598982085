// Handlers for invitations to sign up.
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { lockName } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { findUserByEmail } from '../../identity/account-queries.ts'
import * as queries from '../../identity/address-queries.ts'
import { signUpActions } from '../../identity/audit-actions.ts'
import { limit } from '../../identity/guesses.ts'
import { invitationMail } from '../../identity/mails.ts'
import { limits } from '../../identity/rules.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { INVITATION_DAYS, type invitations, MAX_INVITATIONS } from './invitations-contract.ts'

export const handlers: Handlers<typeof invitations> = {
  async list({ db, now, config }) {
    const items = await queries.listInvitations(db, now)
    return { items, signUp: config.signUp, domains: config.signUpDomains }
  },

  async create(context, { email }) {
    const { db, caller, now, config, outbox } = context
    if (config.signUp === 'closed') throw new Problem('conflict', 'Sign-up is closed here')
    await limit(context, `invite:${caller.id}`, limits.invitationsByAdmin)
    // A hash keeps addresses out of the table of counts.
    await limit(context, `invite:to:${sha256(email).slice(0, 32)}`, limits.invitationsOfAddress)
    return db.transaction().execute(async (transaction) => {
      await lockName(transaction, 'sign-up invitations')
      if (await findUserByEmail(transaction, email)) throw new Problem('conflict', 'email: has an account already')
      const open = await queries.listInvitations(transaction, now)
      const before = open.find((one) => one.email === email)
      if (!before && open.length >= MAX_INVITATIONS)
        throw new Problem('conflict', `At most ${MAX_INVITATIONS} invitations are open; take one back first`)
      const expiresAt = after(now, INVITATION_DAYS * 86_400)
      const invitation = { id: before?.id ?? newId(), email, createdAt: now, expiresAt }
      // One that has expired gives its place to this one.
      if (!before) await queries.deleteInvitation(transaction, { email })
      await queries.putInvitation(transaction, invitation)
      await outbox.enqueue(transaction, { recipient: email, ...invitationMail(config.baseUrl, expiresAt) })
      await remember(context, transaction, { action: signUpActions.invite, invitation })
      return invitation
    })
  },

  async remove(context, { id }) {
    await context.db.transaction().execute(async (transaction) => {
      const invitation = await queries.findInvitation(transaction, { id }, context.now)
      if (!invitation || !(await queries.deleteInvitation(transaction, { id })))
        throw new Problem('not_found', 'No such invitation')
      await remember(context, transaction, { action: signUpActions['take-back'], invitation })
    })
    return { id }
  },
}

function remember(
  { caller, now, address }: Context<Caller>,
  db: Transaction,
  { action, invitation: { id } }: { action: AuditAction; invitation: { id: string } },
): Promise<void> {
  return record(db, now, { action, actorId: caller.id, targetId: id, address })
}
