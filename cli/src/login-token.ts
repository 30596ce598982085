// Signing in with a personal access token, which its owner made in the settings of the site. It comes by the standard input: the
// arguments of a program are seen by others on the machine, and stay in the history of the shell.
import type { Tokens } from '../../client/src/token-endpoint.ts'
import type { Context } from './command.ts'
import { UsageError } from './usage.ts'

interface TokenLogin {
  url: string
  clientId: string
}

/** The token with its scopes, once the server knows it. */
export async function byToken(context: Context, { url, clientId }: TokenLogin): Promise<Tokens> {
  const { isInteractive, ask, readInput, signal, fetch } = context
  const given = (isInteractive ? await ask('Token: ') : await readInput()).trim()
  if (!/^gpat_\w+$/.test(given)) throw new UsageError('A personal access token begins with gpat_')
  const { createClient } = await import('../../client/src/main-node.ts')
  // A token that is not good fails here, and nothing is stored.
  const { scopes } = await createClient({ url, token: given, signal, fetch }).library.me()
  return { url: new URL(url).origin, clientId, accessToken: given, scope: scopes.join(' ') }
}
