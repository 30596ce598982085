// Secrets that encrypt database values. They are derived from the signing key, which every process of this instance has and the
// database does not contain.
import type { Config } from '../config/config.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { type Keys, openKeys } from './keys.ts'

/** The secrets of this Guildhall; the key is read, or made, when the first one is needed. */
export function openSecrets(config: Config): SecretFor {
  let opening: Promise<Keys> | undefined
  return async (use) => {
    opening ??= openKeys(config).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return (await opening).secretFor(use)
  }
}
