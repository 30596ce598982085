// Dynamic client registration (RFC 7591): open to anonymous callers, for public clients only.

import { record } from '../../audit/audit.ts'
import { assertRegistrationRoom, countRegistration } from '../../budgets/caused.ts'
import { rateLimitHeaders } from '../../budgets/rules.ts'
import { clientActions } from '../../identity/audit-actions.ts'
import type { Serve } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { objectIn } from '../../runtime/json.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { json, protocolError } from '../area.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { badRedirectUri } from '../redirects.ts'
import { inTransaction, within } from '../storage.ts'
import { badKeys, METADATA_BYTES, normalizeDocument, normalizeMetadata } from './metadata.ts'

/** Fetches a client's document; its dependencies are loaded for the first such client. */
const fetchDocument = async (url: string): Promise<Response> =>
  (await import('./metadata-document.ts')).fetchDocument(url)

export function registrationEndpoint({ dependencies: { db, config }, server }: OAuthContext): Serve {
  return async ({ body, now, address }) => {
    const given = objectIn(body)
    if (!given) return protocolError(400, 'invalid_client_metadata', 'Send the metadata as a JSON object')
    if (Buffer.byteLength(body) > METADATA_BYTES) {
      return protocolError(400, 'invalid_client_metadata', `A client has at most ${METADATA_BYTES} bytes of metadata`)
    }
    const bad = badRedirectUri(given['redirect_uris'], config.redirectSchemes)
    if (bad) return protocolError(400, 'invalid_redirect_uri', bad)
    const wrongKeys = badKeys(given)
    if (wrongKeys) return protocolError(400, 'invalid_client_metadata', wrongKeys)
    const cause = { config, now, address }
    await assertRegistrationRoom(cause, db)
    const { client_id: _ours, ...metadata } = normalizeMetadata(given)
    const { call } = await server()
    return db.transaction().execute((transaction) =>
      within(transaction, async () => {
        const answer = await call({
          method: 'POST',
          path: '/oauth2/register',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(metadata),
        })
        const client = parseJson<{ client_id: string; client_name?: string }>(answer.text)
        if (answer.status !== 201) return json(answer.status, client)
        const standings = await countRegistration(cause, transaction)
        const detail = { name: client.client_name ?? null }
        const act = { action: clientActions.register, actorId: null, targetId: client.client_id }
        await record(transaction, now, { ...act, detail, address })
        return json(answer.status, client, rateLimitHeaders(standings))
      }),
    )
  }
}

/** The document of a client with a URL as its id. Never call it inside a transaction: others would wait for a remote server. */
export async function fetchClient(dependencies: Dependencies, url: string): Promise<Response> {
  if (inTransaction()) throw new Error('A client is looked up before its transaction begins')
  const response = await (dependencies.fetchDocument ?? fetchDocument)(url)
  if (!response.ok) return response
  const given = objectIn(await response.text())
  if (!given) throw new Error('The document is not a JSON object')
  const metadata = normalizeDocument(given, dependencies.config.redirectSchemes)
  return new Response(JSON.stringify(metadata), { headers: response.headers })
}
