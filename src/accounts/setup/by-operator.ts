// The set-up at the command line: who runs commands on the server needs no link and no code.
import { record } from '../../audit/audit.ts'
import type { Language } from '../../contract/languages.ts'
import { lockUser, type User } from '../../identity/account-queries.ts'
import { setupActions } from '../../identity/audit-actions.ts'
import { createFirstAccount } from '../../identity/joining.ts'
import { keepAdminsIn } from '../../identity/lockout.ts'
import { changeRole, type Notifier } from '../../identity/roles.ts'
import type { Dependencies } from '../../request/handler.ts'
import { changeSettings, type WantedSettings } from '../../settings/changing.ts'
import * as queries from './queries.ts'
import { type AddSamples, sampled } from './sampling.ts'

type OperatorParts = Notifier & Pick<Dependencies, 'db' | 'settings' | 'secretFor'>

/** No browser asks: the account has no language of its own. */
const nowhere = { request: new Request('http://localhost'), cookie: () => undefined }

interface OperatorSetup {
  email: string
  changes: WantedSettings
  now: string
  /** Sample data in a language; undefined for none. */
  samples?: { language: Language; add: AddSamples } | undefined
}

/**
 * Makes an admin of an address, with an account if it has none, and ends the link of the set-up. The address is unproven until a mailed code
 * signs in to it, which removes what else could.
 */
export function setUpByOperator(
  { db, settings, secretFor, ...notifier }: OperatorParts,
  { email, changes, now, samples }: OperatorSetup,
): Promise<User> {
  return db.transaction().execute(async (transaction) => {
    await queries.lockSetup(transaction)
    const context = { ...notifier, ...nowhere, now }
    const known = await lockUser(transaction, { email })
    const user = known ?? (await createFirstAccount(context, transaction, { email, name: null }))
    const granted = { role: 'admin', actorId: null, now } as const
    const admin = await changeRole({ ...notifier, db: transaction }, user, granted)
    await record(transaction, now, {
      action: setupActions.finish,
      actorId: null,
      targetType: 'user',
      targetId: user.id,
    })
    await changeSettings({ settings, secretFor }, transaction, {
      ...{ changes, actorId: null, now },
      guard: keepAdminsIn,
    })
    if (samples) {
      const of = { actorId: admin.id, now, language: samples.language, changes }
      await samples.add(transaction, sampled({ settings }, of))
    }
    await queries.updateSetup(transaction, { tokenHash: null, doneAt: now })
    return admin
  })
}
