// The sample data of a set-up: what makes it, and with which settings.
import type { Config } from '../../config/config.ts'
import type { Language } from '../../contract/languages.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import type { WantedSettings } from '../../settings/changing.ts'

/** Makes the sample data in the transaction of the first admin. */
export type AddSamples = (
  db: Transaction,
  of: {
    authorId: string
    language: Language
    now: string
    config: Pick<Config, 'name' | 'partsOff' | 'homeTexts' | 'partWords'>
  },
) => Promise<void>

interface Sampled {
  actorId: string
  now: string
  language: Language
  changes: WantedSettings
}

/** Who the samples are of, with the settings as they will be. */
export function sampled(
  { settings }: Pick<Dependencies, 'settings'>,
  { actorId: authorId, now, language, changes }: Sampled,
): Parameters<AddSamples>[1] {
  return { authorId, now, language, config: settings.configAfter(changes) }
}
