// The settings of a running process. Those that may change are read from memory, and read again when their table changed: at once in the
// process that changes them and in those that PostgreSQL tells, and within a quarter of a second in all others. A request waits for that; a job
// looks each second for all that is no request (src/jobs.ts).
import { isDeepStrictEqual } from 'node:util'
import type { Config, ConfigReading, StoredSettings } from '../config/config.ts'
import { liveNames, type SettingName, settings } from '../config/settings.ts'
import { about } from '../config/values.ts'
import type { Changes } from '../database/commit-cache.ts'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import type { SecretFor } from '../runtime/hash.ts'
import type { Log } from '../runtime/log.ts'
import { sealBytes, unsealBytes } from '../runtime/seal.ts'
import { listStored } from './queries.ts'

/** How old what this process knows may be where it is not told of changes. */
const CHECK_MILLISECONDS = 200

const TABLES: ReadonlySet<string> = new Set(['setting'])

interface Parts {
  /** Of the environment. */
  config: Config
  db: Db
  /** Without it the table is looked at each time. */
  changes?: Changes | undefined
  log: Log
  secretFor: SecretFor
}

export class LiveSettings {
  /** What the environment and the stored settings say now. One object that changes, so read its values at each use. */
  readonly config: Config
  readonly #parts: Parts
  #stored: StoredSettings = {}
  #known = ''
  #moment = 0
  #checkedAt = Number.NEGATIVE_INFINITY
  #isLoaded = false
  #loading: Promise<void> | undefined
  readonly #listeners: (() => void)[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.config = { ...parts.config }
  }

  /** The environment alone: where `withStored` begins. */
  get environment(): Config {
    return this.#parts.config
  }

  /** The stored texts that hold, secrets among them: for no answer. */
  get stored(): StoredSettings {
    return this.#stored
  }

  /** What the configuration is after changes of the stored texts; null is the default. */
  configAfter(changes: Readonly<Record<string, string | null>>): ConfigReading['config'] {
    const texts = Object.entries({ ...this.#stored, ...changes }).filter(([, text]) => text !== null)
    return this.environment.withStored(Object.fromEntries(texts) as StoredSettings).config
  }

  /** Calls `listener` after each change, and once now. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
    listener()
  }

  /** Undefined while nothing has changed as far as this process must know; otherwise resolves when it is known. An outage changes nothing. */
  current(): Promise<void> | undefined {
    const { changes, db } = this.#parts
    if (this.#isLoaded && changes?.isCurrent(this.#moment, TABLES)) return undefined
    const isToldAtOnce = changes !== undefined && engineOf(db) === 'postgres'
    if (this.#isLoaded && !isToldAtOnce && performance.now() - this.#checkedAt < CHECK_MILLISECONDS) return undefined
    this.#loading ??= this.#load()
      .catch((error: unknown) => this.#parts.log.debug({ err: error }, 'settings could not be read'))
      .finally(() => {
        this.#loading = undefined
      })
    return this.#loading
  }

  /** Reads the stored settings: what was committed before the call holds afterwards. */
  async reload(): Promise<void> {
    await this.#loading
    await this.#load()
  }

  async #load(): Promise<void> {
    const { db, changes } = this.#parts
    this.#checkedAt = performance.now()
    const moment = changes?.moment() ?? 0
    const rows = await listStored(db)
    const known = JSON.stringify(rows.map(({ name, value }) => [name, value]))
    if (known !== this.#known || !this.#isLoaded) await this.#take(rows, known)
    this.#moment = moment
    this.#isLoaded = true
  }

  async #take(rows: readonly { name: string; value: string }[], known: string): Promise<void> {
    const isEmptyFromTheStart = this.#known === '' && rows.length === 0
    // Then the configuration is what the environment says, which was read at the start.
    if (isEmptyFromTheStart) {
      this.#known = known
      return
    }
    const stored: Partial<Record<SettingName, string>> = {}
    for (const { name, value } of rows) {
      // A release that knows a setting may have run on this database.
      if (!isLive(name)) continue
      const text = isSecret(name) ? await unsealSetting(this.#parts.secretFor, name, value) : value
      if (text === undefined)
        this.#parts.log.warn({ setting: name }, `${name} is stored, but sealed with another key: it is ignored`)
      else stored[name] = text
    }
    const { config: given, changes, log } = this.#parts
    const { reading, ignored } = lenient(given, stored)
    for (const sentence of ignored) log.warn(`A stored setting is ignored: ${sentence}`)
    this.#known = known
    this.#stored = stored
    // A request reads settings a hundred times: values of an object cost a part of what getters do.
    Object.assign(this.config, merged(given, reading))
    changes?.drop()
    for (const listener of this.#listeners) listener()
  }
}

const isLive = (name: string): name is SettingName => liveNames.some((one) => one === name)

/** What the environment and the stored settings say: a stored one that is invalid, or contradicts, is left out. */
function lenient(
  given: Config,
  stored: Partial<Record<SettingName, string>>,
): { reading: ConfigReading; ignored: string[] } {
  const reading = given.withStored(stored)
  const ignored = reading.errors.map(({ name, sentence }) => {
    delete stored[name]
    return sentence
  })
  for (const sentence of reading.contradictions) {
    ignored.push(sentence)
    const named = Object.keys(stored).filter((name) => sentence.includes(name))
    for (const name of named.length > 0 ? named : Object.keys(stored)) if (isLive(name)) delete stored[name]
  }
  return ignored.length === 0 ? { reading, ignored } : { reading: given.withStored(stored), ignored }
}

/** The values of `given`, which a test or the demo may have replaced, with those that what is stored changes. */
function merged(given: Config, { config: now }: ConfigReading): Config {
  const before = given.withStored({}).config
  const changed = Object.entries(now).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)))
  return { ...given, ...Object.fromEntries(changed) }
}

/** Whether the value of a setting is never shown. */
export const isSecret = (name: SettingName): boolean => about.get(settings.shape[name])?.secret === true

/** The setting with the address of the server that a secret is sent to; undefined for what is sent nowhere. */
export const placeOf = (name: SettingName): SettingName | undefined =>
  liveNames.find((one) => one === about.get(settings.shape[name])?.sentTo)

/** What is stored of the text of a setting. */
export async function storedText(secretFor: SecretFor, name: SettingName, text: string): Promise<string> {
  if (!isSecret(name)) return text
  return sealBytes(await secretFor('settings'), Buffer.from(text), name).toString('base64url')
}

/** The text of a secret; undefined where it was sealed with another key. */
export async function unsealSetting(secretFor: SecretFor, name: SettingName, sealed: string) {
  const key = await secretFor('settings')
  try {
    return unsealBytes(key, Buffer.from(sealed, 'base64url'), name).toString()
  } catch {
    return undefined
  }
}
