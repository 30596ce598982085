// What others need of the set-up: the link that a start prints.
import type { Db, Transaction } from '../../database/schema.ts'
import { hasAccounts } from '../../identity/account-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import type { setUpByOperator as byOperator } from './by-operator.ts'
import * as queries from './queries.ts'
import { isOpen, type SetupState } from './rules.ts'

/** What `npm run admin -- setup` does. */
export const setUpByOperator = async (...given: Parameters<typeof byOperator>): ReturnType<typeof byOperator> =>
  (await import('./by-operator.ts')).setUpByOperator(...given)

type SetupContext = Pick<Dependencies, 'config'>

export async function readState({ config }: SetupContext, db: Db): Promise<SetupState> {
  return stateOf(config, db, await queries.findSetup(db))
}

/** The same, locked until the end of the transaction. */
export async function lockState({ config }: SetupContext, db: Transaction): Promise<SetupState> {
  return stateOf(config, db, await queries.lockSetup(db))
}

async function stateOf(
  { adminEmails }: Pick<Dependencies['config'], 'adminEmails'>,
  db: Db,
  row: SetupState['row'],
): Promise<SetupState> {
  return { row, adminEmails, hasAccounts: row?.doneAt === null && (await hasAccounts(db)) }
}

/**
 * The address of the set-up with a new token, which ends the one before; undefined where there is nothing to set up. The token is stored
 * as a hash alone. An account ends the set-up for good.
 */
export async function renewSetupLink({ db, clock, config }: Pick<Dependencies, 'db' | 'clock' | 'config'>) {
  const first = await readState({ config }, db)
  if (first.row === undefined || first.row.doneAt !== null) return undefined
  return db.transaction().execute(async (transaction) => {
    const state = await lockState({ config }, transaction)
    if (state.row?.doneAt !== null) return undefined
    if (state.hasAccounts) {
      await queries.updateSetup(transaction, { tokenHash: null, doneAt: timestamp(clock.now()) })
      return undefined
    }
    const token = isOpen(state) ? newToken() : undefined
    await queries.updateSetup(transaction, { tokenHash: token === undefined ? null : sha256(token) })
    return token && `${config.baseUrl}/setup?token=${token}`
  })
}
