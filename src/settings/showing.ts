// Settings as admins and the operator see them: no secret among them.
import { settings as declared, liveNames, type SettingName } from '../config/settings.ts'
import { about, type Section, type SettingInput, sections } from '../config/values.ts'
import type { Db } from '../database/schema.ts'
import { isSecret, type LiveSettings } from './live-settings.ts'
import * as queries from './queries.ts'

export interface ShownSetting {
  name: SettingName
  /** In the order of `sections`. */
  section: Section
  input: SettingInput
  choices: string[]
  description: string
  value: string | null
  default: string | null
  source: 'environment' | 'stored' | 'default'
  isSecret: boolean
  isSet: boolean
  changedBy: string | null
  changedAt: string | null
}

/** Every setting that may change while the server runs, as it is in the database now. */
export async function listSettings({ settings }: { settings: LiveSettings }, db: Db): Promise<ShownSetting[]> {
  await settings.reload()
  const rows = await queries.listNamed(db)
  const { environment, stored } = settings
  const [{ texts }, { texts: defaults }] = [environment.withStored(stored), environment.withStored({})]
  const shown = liveNames.map((name): ShownSetting => {
    const { live = 'community', input = 'text', choices = [], description } = about.get(declared.shape[name]) ?? {}
    const source = environment.given.has(name) ? 'environment' : stored[name] === undefined ? 'default' : 'stored'
    const row = source === 'stored' ? rows.find((one) => one.name === name) : undefined
    return {
      ...{ name, section: live, input, choices: [...choices], description: description ?? '' },
      value: isSecret(name) ? null : (texts[name] ?? null),
      default: isSecret(name) || source === 'environment' ? null : (defaults[name] ?? null),
      ...{ source, isSecret: isSecret(name), isSet: texts[name] !== undefined && texts[name] !== '' },
      changedBy: row?.actorUsername ?? null,
      changedAt: row?.changedAt ?? null,
    }
  })
  return shown.toSorted((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section))
}

/** A change as it is shown: of a secret only that there was one. */
export function shownChange({
  name,
  valueBefore,
  valueAfter,
  ...change
}: Awaited<ReturnType<typeof queries.listChanges>>[number]) {
  const isHidden = liveNames.some((one) => one === name && isSecret(one))
  const { id, actorUsername: changedBy, changedAt } = change
  const [before, after] = isHidden ? [null, null] : [valueBefore, valueAfter]
  return { id, name, before, after, isSecret: isHidden, changedBy, changedAt }
}
