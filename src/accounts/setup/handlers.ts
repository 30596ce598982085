// Handlers for the set-up. Whether it is open is read again in the transaction that makes the admin.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { setupActions } from '../../identity/audit-actions.ts'
import { mailCodeTo, takeCode } from '../../identity/codes.ts'
import { countCodeTry } from '../../identity/guesses.ts'
import { createFirstAccount } from '../../identity/joining.ts'
import { keepAdminsIn } from '../../identity/lockout.ts'
import { changeRole } from '../../identity/roles.ts'
import { verifyEmail } from '../../identity/verify-email.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { changeSettings, type WantedSettings } from '../../settings/changing.ts'
import { signIn } from '../sign-in/entry.ts'
import { setUpNames, type setup } from './contract.ts'
import * as queries from './queries.ts'
import { requireToken } from './rules.ts'
import { type AddSamples, sampled } from './sampling.ts'
import { lockState, readState } from './setup.ts'

const FILE = 'file:'

/** What the set-up needs of the application. */
export interface SetupServices {
  addSamples: AddSamples
}

export const handlersWith = ({ addSamples }: SetupServices): Handlers<typeof setup> => ({
  async check(context, { token }) {
    requireToken(await readState(context, context.db), token)
    const { mailUrl, mailFrom } = context.config
    const mailFolder = mailUrl.startsWith(FILE) ? mailUrl.slice(FILE.length) : null
    const { texts } = context.settings.environment.withStored(context.settings.stored)
    const given = context.settings.environment.given
    const settings = setUpNames.map((name) => ({ name, value: texts[name] ?? null, isFixed: given.has(name) }))
    return { settings, mailFolder, mailHost: mailFolder === null ? new URL(mailUrl).host : null, mailFrom }
  },

  async sendCode(context, { token, email }) {
    requireToken(await readState(context, context.db), token)
    await mailCodeTo(context, { purpose: 'set-up', email })
    return { message: `A code is on its way to ${email}` }
  },

  async finish(context, { token, email, code, adminName, settings, samples }) {
    const changes = wantedOf(settings)
    requireToken(await readState(context, context.db), token)
    await countCodeTry(context, email)
    const signedIn = await context.db.transaction().execute(async (db) => {
      requireToken(await lockState(context, db), token)
      if (!(await takeCode(context, db, { purpose: 'set-up', email, code }))) return undefined
      const user = await makeFirstAdmin(context, db, { email, name: adminName ?? null })
      const by = { actorId: user.id, now: context.now, address: context.address, guard: keepAdminsIn }
      await changeSettings(context, db, { ...by, changes })
      if (samples) await addSamples(db, sampled(context, { ...by, language: samples, changes }))
      await queries.updateSetup(db, { tokenHash: null, doneAt: context.now })
      return signIn(context, db, { user, quiet: true })
    })
    if (!signedIn) throw new Problem('invalid_request', 'code: is wrong or no longer good; ask for a new one')
    await context.afterCommit(() => context.settings.reload())
    return signedIn
  },
})

/** The settings that were answered; an empty answer is the default. */
function wantedOf(given: Readonly<Record<string, string>>): WantedSettings {
  const unknown = Object.keys(given).find((name) => !setUpNames.some((one) => one === name))
  if (unknown !== undefined)
    throw new Problem('invalid_request', 'settings: has a name that the set-up does not ask for')
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text.trim() === '' ? null : text]))
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
