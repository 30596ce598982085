// `npm run admin -- settings`: the settings that may change while the server runs. A running server knows of a change within a second.
import { Problem } from '../contract/problem.ts'
import { keepAdminsIn } from '../identity/lockout.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import { changeSettings } from '../settings/changing.ts'
import { listSettings, type ShownSetting } from '../settings/showing.ts'
import type { Call, Command } from './command.ts'
import { type AccountParts, withAccounts } from './with-accounts.ts'

export const settings: Command = {
  usage: 'settings <act> [<name>] [<value>]',
  summary: `list, get <name>, set <name> <value>, unset <name> (the default holds again): settings
that may change while the server runs. The environment wins over what is stored`,
  parameters: [1, 3],
  run,
}

async function run({ settings: environment, parameters, output }: Call): Promise<number> {
  const [act = '', name, value] = parameters
  const counts = { list: 1, get: 2, set: 3, unset: 2 }
  if (!Object.hasOwn(counts, act) || Reflect.get(counts, act) !== parameters.length) {
    output.complain(`Say what to do: ${settings.usage}`)
    return 2
  }
  try {
    return await withAccounts(environment(), async (parts) => {
      if (act === 'set' || act === 'unset') await change(parts, { [String(name)]: value ?? null })
      const all = await listSettings(parts, parts.db)
      if (act === 'list') output.result({ settings: all }, all.map(lineOf).join('\n'))
      else {
        const one = all.find((shown) => shown.name === name)
        if (!one) throw new Problem('not_found', 'No such setting')
        output.result(one, lineOf(one))
      }
      return 0
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    output.complain(`${error.message.replace(/\.$/, '')}.`)
    return 1
  }
}

async function change(parts: AccountParts, changes: Record<string, string | null>): Promise<void> {
  const by = { actorId: null, now: timestamp(systemClock.now()), guard: keepAdminsIn }
  await parts.db.transaction().execute((db) => changeSettings(parts, db, { ...by, changes }))
}

const SOURCES = { environment: 'set by the environment', stored: 'stored', default: 'the default' }

function lineOf({ name, value, isSecret, isSet, source }: ShownSetting): string {
  const text = isSecret && isSet ? '(a secret)' : (value ?? '-')
  return `${name.padEnd(20)} ${text || '-'}  (${SOURCES[source]})`
}
