// The key of the log: a setting, or derived from the signing key. It signs checkpoints and statements, so clients pin one key.
import { type NoteSigner, signerOf } from '@guildhall/verifiable/signing'
import type { Config } from '../config/config.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { required } from '../runtime/untyped.ts'

/** The name of the log: its address without the scheme (c2sp.org/tlog-tiles, Parameters). */
export const originOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${new URL(baseUrl).host}/log`

/** The 32 secret bytes of the key. */
async function logSecret({ logKey }: Pick<Config, 'logKey'>, secretFor: SecretFor): Promise<Buffer> {
  return logKey ? Buffer.from(required(logKey.d), 'base64url') : secretFor('transparency log')
}

/** What signs for the log with this name. */
export async function openLogKey(
  config: Pick<Config, 'logKey'>,
  { secretFor, origin }: { secretFor: SecretFor; origin: string },
): Promise<NoteSigner> {
  return signerOf(origin, await logSecret(config, secretFor))
}

/** Both halves, in base64url. */
export async function logKeyPair(
  config: Pick<Config, 'logKey'>,
  secretFor: SecretFor,
): Promise<{ x: string; d: string }> {
  const secret = await logSecret(config, secretFor)
  return { x: Buffer.from(signerOf('log', secret).key).toString('base64url'), d: secret.toString('base64url') }
}
