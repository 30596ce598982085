// `npm run admin -- bounces`: the addresses to which notifications are not mailed, and mailing there again.
import { record } from '../audit/audit.ts'
import { bounceActions } from '../community/bounces/contract.ts'
import type { Db } from '../database/schema.ts'
import { deleteBounce, findBounce, listStopped } from '../mail/queries.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const bounces: Command = {
  usage: 'bounces [clear <email>]',
  summary: `lists the newest addresses to which notifications are not mailed, because mail does
not come there or its reader complained; clear lets them go there again`,
  parameters: [0, 2],
  run,
}

const LISTED = 500

async function run({ settings, parameters: [act, email], output }: Call): Promise<number> {
  if (act !== undefined && (act !== 'clear' || email === undefined)) {
    output.complain('Use: bounces, or bounces clear <email>.')
    return 2
  }
  return withAccounts(settings(), async ({ db }) => {
    if (email !== undefined) return (await clear(db, email.toLowerCase(), output)) ? 0 : 1
    const found = await listStopped(db, { offset: 0, limit: LISTED })
    const lines = found.map(({ email: to, kind, status, stoppedAt }) => `${to}  ${kind} ${status ?? ''}  ${stoppedAt}`)
    output.result(found, lines.length > 0 ? lines.join('\n') : 'Mail goes to every address.')
    return 0
  })
}

async function clear(db: Db, email: string, output: Call['output']): Promise<boolean> {
  const now = timestamp(systemClock.now())
  const known = await findBounce(db, email)
  const isCleared = await db.transaction().execute(async (transaction) => {
    if (!known || !(await deleteBounce(transaction, known.id))) return false
    await record(transaction, now, { action: bounceActions.clear, actorId: null, targetId: known.id })
    return true
  })
  if (isCleared) output.result({ email }, `Notifications are mailed to ${email} again.`)
  else output.complain(`Nothing stops mail to ${email}.`)
  return isCleared
}
