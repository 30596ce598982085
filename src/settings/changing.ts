// Changes of settings: several at once or none, each with its entry in the history and in the audit log. By admins and by the operator.
import { record } from '../audit/audit.ts'
import type { ConfigReading, StoredSettings } from '../config/config.ts'
import { liveNames, type SettingName } from '../config/settings.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { newId } from '../runtime/ids.ts'
import { settingActions } from './audit-actions.ts'
import { isSecret, type LiveSettings, placeOf, storedText, unsealSetting } from './live-settings.ts'
import * as queries from './queries.ts'

interface Parts {
  settings: LiveSettings
  secretFor: SecretFor
}

/** Throws where a change must not be, for a reason that only the database knows. */
type Guard = (db: Transaction, change: Record<'was' | 'is', ConfigReading['config']>) => Promise<void>

/** Who changes settings; null is the operator at the command line. */
interface By {
  actorId: string | null
  now: string
  address?: string | null
  guard: Guard
}

/** The text of each setting that changes; null for its default. */
export type WantedSettings = Readonly<Record<string, string | null>>

export interface WantedChange extends By {
  changes: WantedSettings
  /** Of the settings that the caller has seen. */
  version?: number | undefined
}

/** What a setting was and is; of a secret only whether there is one. */
export interface ChangedSetting {
  name: SettingName
  before: string | null
  after: string | null
}

export interface Change {
  version: number
  changes: ChangedSetting[]
}

/** Changes settings in the transaction. The caller has them read again when it is committed. */
export async function changeSettings(parts: Parts, db: Transaction, wanted: WantedChange): Promise<Change> {
  await queries.lockSettings(db)
  const version = await queries.findVersion(db)
  if (wanted.version !== undefined && wanted.version !== version)
    throw new Problem('conflict', 'Settings were changed since you read them; look at them again')
  const stored = await textsIn(parts, db)
  const after = { ...stored, ...wantedTexts(parts.settings, wanted.changes) }
  const { environment } = parts.settings
  const [was, is] = [environment.withStored(stored), environment.withStored(after)]
  const difference = { was, is, changed: Object.keys(wanted.changes) }
  refuse(difference)
  // The operator has the secrets anyway.
  if (wanted.actorId !== null) refuseKeyElsewhere(difference)
  await wanted.guard(db, { was: was.config, is: is.config })
  const names = liveNames.filter((name) => stored[name] !== after[name])
  for (const [at, name] of names.entries()) {
    await store(parts, db, { ...wanted, name, number: version + at + 1, before: stored[name], after: after[name] })
  }
  const changes = names.map((name) => ({ name, before: shown(name, was), after: shown(name, is) }))
  return { version: version + names.length, changes }
}

/** Undoes a change: the setting has the value from before it again. Refused where it was changed since. */
export async function undoChange(parts: Parts, db: Transaction, { id, ...by }: By & { id: string }): Promise<Change> {
  await queries.lockSettings(db)
  const change = await queries.findChange(db, id)
  const name = liveNames.find((one) => one === change?.name)
  if (!change || !name) throw new Problem('not_found', 'No such change of a setting')
  const stored = await textsIn(parts, db)
  const [before, after] = [
    await textOf(parts.secretFor, name, change.valueBefore),
    await textOf(parts.secretFor, name, change.valueAfter),
  ]
  if (stored[name] !== after) throw new Problem('conflict', `${name} was changed since`)
  // It was given for another server, perhaps.
  if (placeOf(name) && before !== undefined) throw new Problem('conflict', `${name} has to be given again`)
  return changeSettings(parts, db, { ...by, changes: { [name]: before ?? null } })
}

async function textOf(secretFor: SecretFor, name: SettingName, value: string | null): Promise<string | undefined> {
  if (value === null) return undefined
  return isSecret(name) ? unsealSetting(secretFor, name, value) : value
}

/** The configuration as it is stored now, also where another process changed it. The caller has locked it. */
export const storedConfig = async (parts: Parts, db: Transaction): Promise<ConfigReading['config']> =>
  parts.settings.environment.withStored(await textsIn(parts, db)).config

/** What is stored now, secrets opened. */
async function textsIn({ secretFor }: Parts, db: Transaction): Promise<StoredSettings> {
  const rows = await queries.listStored(db)
  const texts: Partial<Record<SettingName, string>> = {}
  for (const name of liveNames) {
    const row = rows.find((one) => one.name === name)
    const text = row && (await textOf(secretFor, name, row.value))
    if (text !== undefined) texts[name] = text
  }
  return texts
}

/** The texts that are wanted; an empty one is the default, as in the environment. */
function wantedTexts({ environment }: LiveSettings, changes: WantedSettings) {
  const texts: Partial<Record<SettingName, string | undefined>> = {}
  for (const [given, text] of Object.entries(changes)) {
    const name = liveNames.find((one) => one === given)
    if (!name)
      throw new Problem('invalid_request', `changes: ${given} is no setting that may change while the server runs`)
    if (environment.given.has(name))
      throw new Problem('conflict', `${name} is set by the environment of the server, which wins`)
    texts[name] = text?.trim() || undefined
  }
  return texts
}

interface Difference {
  was: ConfigReading
  is: ConfigReading
  changed: readonly string[]
}

/** Refuses what is invalid, or contradicts what else holds. A contradiction from before is no reason: it may be what is put right. */
function refuse({ was, is, changed }: Difference): void {
  const wrong = is.errors.find(({ name }) => changed.includes(name))
  if (wrong) throw new Problem('invalid_request', `${wrong.name}: must be ${wrong.expected}`)
  const contradiction = is.contradictions.find((sentence) => !was.contradictions.includes(sentence))
  if (contradiction !== undefined) throw new Problem('invalid_request', withoutDot(contradiction))
  // The operator may sign in by a provider on the same machine; an admin of the site cannot have the server ask it.
  const name = 'OIDC_ISSUER'
  if (changed.includes(name) && is.texts[name]?.startsWith('http:'))
    throw new Problem('invalid_request', `${name}: only the environment of the server may name one without https`)
}

/** Refuses to send a secret that is kept to another server than the one that it was given for: no admin reads it there. */
function refuseKeyElsewhere({ was, is, changed }: Difference): void {
  for (const secret of liveNames) {
    const place = placeOf(secret)
    if (!place) continue
    const originIn = ({ texts }: ConfigReading) => texts[place] && new URL(texts[place]).origin
    if (!is.texts[secret] || changed.includes(secret) || !is.texts[place] || originIn(was) === originIn(is)) continue
    throw new Problem(
      'invalid_request',
      `${secret}: must be given again, or taken away, with another server in ${place}`,
    )
  }
}

const withoutDot = (sentence: string) => sentence.replace(/\.$/, '')

interface OneChange extends By {
  name: SettingName
  number: number
  before: string | undefined
  after: string | undefined
}

async function store({ secretFor }: Parts, db: Transaction, change: OneChange): Promise<void> {
  const { name, number, actorId, now, address = null } = change
  const sealed = async (text: string | undefined) => (text === undefined ? null : storedText(secretFor, name, text))
  const [valueBefore, valueAfter] = [await sealed(change.before), await sealed(change.after)]
  if (valueAfter === null) await queries.deleteSetting(db, name)
  else await queries.putSetting(db, { name, value: valueAfter, actorId, changedAt: now })
  await queries.insertChange(db, { number, id: newId(), name, valueBefore, valueAfter, actorId, changedAt: now })
  const detail = isSecret(name) ? undefined : { before: change.before ?? null, after: change.after ?? null }
  await record(db, now, { action: settingActions.change, actorId, targetId: name, address, ...(detail && { detail }) })
}

/** The text that holds; null for none, and for every secret. */
const shown = (name: SettingName, { texts }: ConfigReading): string | null =>
  isSecret(name) ? null : (texts[name] ?? null)
