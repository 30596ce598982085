// `npm run admin -- new-key` and `log-key`.
import type { Config } from '../config/config.ts'
import { newSigningKey, openSecrets } from '../oauth/server/server.ts'
import { logKeyPair } from '../transparency/key.ts'
import type { Command } from './command.ts'

export const newKey: Command = {
  usage: 'new-key',
  summary: 'prints a new signing key, for SIGNING_KEY',
  parameters: [0, 0],
  async run({ output }) {
    const key = newSigningKey()
    output.result(key, JSON.stringify(key))
    return 0
  },
}

export const logKey: Command = {
  usage: 'log-key',
  summary: 'prints the key that signs the log, for LOG_KEY before SIGNING_KEY changes',
  parameters: [0, 0],
  async run({ settings, output }) {
    const key = await keyOfLog(settings())
    output.result(key, JSON.stringify(key))
    return 0
  },
}

/** The key as a setting takes it; without LOG_KEY that which is derived from the signing key. */
async function keyOfLog(config: Config): Promise<object> {
  const { x, d } = await logKeyPair(config, openSecrets(config))
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid: 'log' }
}
