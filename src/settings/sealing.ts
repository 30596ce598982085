// Secrets among the stored settings: sealed under the name of their setting, by a key that is not in the database.
import { type SettingName, settings } from '../config/settings.ts'
import { about } from '../config/values.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { sealBytes, unsealBytes } from '../runtime/seal.ts'

/** Whether the value of a setting is never shown. */
export const isSecret = (name: SettingName): boolean => about.get(settings.shape[name])?.secret === true

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
