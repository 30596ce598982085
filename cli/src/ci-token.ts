// publish --ci: the ID token of the run that this is a part of, from its runner, and what the server gives for it (RFC 8693). Nothing is stored.
import type { Client } from '../../client/src/create-client.ts'
import { textOf } from '../../client/src/fetching.ts'
import type { ClientChoice, Context } from './command.ts'
import type { ItemName } from './home.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
/** What a job of GitLab CI calls its token (`id_tokens`). */
export const GITLAB_VARIABLE = 'GUILDHALL_ID_TOKEN'

/** The JSON object of a text; empty where it is none. */
function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

interface Metadata {
  issuer: string
  token_endpoint: string
}

type Answer = { status: number; body: Record<string, unknown> }

async function send(
  context: Pick<Context, 'fetch' | 'signal'>,
  address: string,
  init: Parameters<Context['fetch']>[1],
): Promise<Answer> {
  const response = await context.fetch(address, { ...init, signal: context.signal })
  return { status: response.status, body: objectIn(await textOf(response, context.signal)) }
}

/** The ID token for a server by its issuer. Throws UsageError where this is no run of a CI that has one. */
async function idToken(context: Context, audience: string): Promise<string> {
  const { environment } = context
  const [address, secret] = [environment['ACTIONS_ID_TOKEN_REQUEST_URL'], environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']]
  const given = environment[GITLAB_VARIABLE]
  if (given) return given
  if (!address || !secret) {
    throw new UsageError(
      `This run has no ID token. GitHub Actions: give the job "permissions: id-token: write". GitLab CI: name ${GITLAB_VARIABLE} in id_tokens, with aud: ${audience}`,
    )
  }
  const url = new URL(address)
  url.searchParams.set('audience', audience)
  const headers = { Authorization: `Bearer ${secret}`, Accept: 'application/json' }
  const { status, body } = await send(context, url.href, { method: 'GET', headers })
  const token = body['value']
  if (typeof token !== 'string') throw new RefusedError('ci', `The runner gave no ID token (${status})`)
  return token
}

export interface CiClient {
  client: Client
  /** Null where there is no item of the name yet. */
  itemId: string | null
}

/** A client that publishes one item, for a quarter of an hour. */
export async function ciClient(
  context: Context,
  { kind, slug }: ItemName,
  { publisher, ...choice }: ClientChoice & { publisher?: string | undefined },
): Promise<CiClient> {
  const url = await context.url()
  const { status, body } = await send(context, `${url}/.well-known/oauth-authorization-server`, { method: 'GET' })
  const { issuer, token_endpoint: endpoint } = body as Partial<Metadata>
  if (typeof issuer !== 'string' || typeof endpoint !== 'string' || new URL(endpoint).origin !== new URL(url).origin)
    throw new RefusedError('ci', `${url} does not say where tokens are exchanged (${status})`)
  const form = new URLSearchParams({
    ...{ grant_type: EXCHANGE, subject_token_type: ID_TOKEN, subject_token: await idToken(context, issuer) },
    resource: `${url}/api/library/items/${kind}/${slug}`,
    ...(publisher !== undefined && { publisher }),
  })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }
  const answer = await send(context, endpoint, { method: 'POST', headers, body: form.toString() })
  const { access_token: token, item_id: itemId, error_description: why } = answer.body
  if (typeof token !== 'string')
    throw new RefusedError(
      'ci',
      `The server does not let this run publish ${kind}/${slug}: ${line(String(why ?? answer.status))}`,
    )
  const { createClient } = await import('../../client/src/main-node.ts')
  const fetch = choice.onSent
    ? (await import('./fetch.ts')).fetchWith(context.environment, choice.onSent)
    : context.fetch
  return {
    client: createClient({ url, token, signal: context.signal, fetch }),
    itemId: typeof itemId === 'string' ? itemId : null,
  }
}
