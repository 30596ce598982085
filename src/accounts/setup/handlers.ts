// Handlers for the set-up. Whether it is open is read again in the transaction that makes the admin.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { setupActions } from '../../identity/audit-actions.ts'
import { mailCodeTo, takeCode } from '../../identity/codes.ts'
import { countCodeTry } from '../../identity/guesses.ts'
import { createFirstAccount } from '../../identity/joining.ts'
import { changeRole } from '../../identity/roles.ts'
import { verifyEmail } from '../../identity/verify-email.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { signIn } from '../entry.ts'
import type { setup } from './contract.ts'
import * as queries from './queries.ts'
import { requireToken } from './rules.ts'
import { lockState, readState } from './setup.ts'

const FILE = 'file:'

export const handlers: Handlers<typeof setup> = {
  async check(context, { token }) {
    requireToken(await readState(context, context.db), token)
    const { mailUrl, mailFrom } = context.config
    const mailFolder = mailUrl.startsWith(FILE) ? mailUrl.slice(FILE.length) : null
    return { mailFolder, mailHost: mailFolder === null ? new URL(mailUrl).host : null, mailFrom }
  },

  async sendCode(context, { token, email }) {
    requireToken(await readState(context, context.db), token)
    await mailCodeTo(context, { purpose: 'set-up', email })
    return { message: `A code is on its way to ${email}` }
  },

  async finish(context, { token, email, code, adminName }) {
    requireToken(await readState(context, context.db), token)
    await countCodeTry(context, email)
    const signedIn = await context.db.transaction().execute(async (db) => {
      requireToken(await lockState(context, db), token)
      if (!(await takeCode(context, db, { purpose: 'set-up', email, code }))) return undefined
      const user = await makeFirstAdmin(context, db, { email, name: adminName ?? null })
      await queries.updateSetup(db, { tokenHash: null, doneAt: context.now })
      return signIn(context, db, { user, quiet: true })
    })
    if (!signedIn) throw new Problem('invalid_request', 'code: is wrong or no longer good; ask for a new one')
    return signedIn
  },
}

/** The account of an address whose mailbox the code proved, as an admin. */
async function makeFirstAdmin(
  context: Context,
  db: Transaction,
  { email, name }: { email: string; name: string | null },
): Promise<User> {
  const { outbox, config, now, address } = context
  const made = await createFirstAccount(context, db, { email, name })
  const verified = await verifyEmail(context, db, { user: made, by: 'code' })
  const admin = await changeRole({ outbox, config, db }, verified, { role: 'admin', actorId: made.id, now, address })
  const act = { action: setupActions.finish, actorId: made.id, targetType: 'user', targetId: made.id }
  await record(db, now, { ...act, address })
  return admin
}
