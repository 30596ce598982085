// Assertions (RFC 7523, ID-JAG, workload identities, Web Bot Auth): forged, replayed and mixed-up ones open nothing, and no key is fetched where it
// must not be.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, type JWTPayload } from 'jose'
import {
  ASSERTION_TYPE,
  clientAssertion,
  credentials,
  forgeries,
  ID_JAG,
  identityAssertion,
  issuerOf,
  JWT_BEARER,
  keyClient,
  now,
  type OwnClient,
  show,
  sign,
  wrongClaims,
} from './assertions.ts'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { PROVIDER, PROVIDER_KID, providerJwk } from './identity-provider.ts'
import { allowed, bearer, exchangeForm, register, registration, TOKEN } from './oauth-client.ts'
import type { Target } from './target.ts'

const CLAUSE = 'tokens'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** A thief of a used refresh token, without the client's key: the answer that is stored for a retry is not given. */
async function holdAnswerKept(target: Target, own: OwnClient, refresh_token: string) {
  const refresh = { grant_type: 'refresh_token', refresh_token, client_id: own.clientId }
  const send = (more: Record<string, string>) => target.anonymous().form(TOKEN, { ...refresh, ...more })
  holdStatus(await send(await credentials(target, own)), [200], 'a refresh with its key')
  for (const scope of ['', own.clientId, `\n${own.clientId}`, `","${own.clientId}`]) {
    const reply = await send({ scope })
    holdStatus(reply, [400, 401], `a retry without the key, scope ${JSON.stringify(scope)}`)
    hold(!reply.text.includes('_token"'), 'a retry without the key: a token')
  }
}

export const knownAgents: Attack[] = [
  {
    name: 'a client with keys is let in by an assertion of its own alone, and by each once',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [own, other] = [await keyClient(target), await keyClient(target)]
      const person = await target.newcomer()
      const form = exchangeForm(await allowed(target, person, { clientId: own.clientId }))
      const exchange = (more: Record<string, string>) => target.anonymous().form(TOKEN, { ...form, ...more })
      const refused = async (what: string, more: Record<string, string>) => {
        const reply = await exchange(more)
        holdStatus(reply, [400, 401, 429], what)
        hold(!reply.text.includes('access_token'), `${what}: a token`)
      }
      await refused('no assertion', {})
      for (const [what, claims] of Object.entries(wrongClaims(target)))
        await refused(what, await credentials(target, own, { claims }))
      await refused('of another client', await credentials(target, other))
      await refused('the key of another client', await credentials(target, own, { key: other.key }))
      for (const typ of ['at+jwt', 'dpop+jwt', ID_JAG.typ])
        await refused(typ, await credentials(target, own, { header: { typ } }))
      const claims = { iss: own.clientId, sub: own.clientId, aud: issuerOf(target) }
      for (const [what, client_assertion] of Object.entries(await forgeries(claims, { kid: 'own' }, own.jwk)))
        await refused(what, { client_assertion_type: ASSERTION_TYPE, client_assertion })
      const once = await credentials(target, own)
      holdStatus(await exchange({ ...once, code: 'unknown' }), [400], 'a code that is not there')
      await refused('the same assertion again', once)
      const tokens = await exchange(await credentials(target, own))
      holdStatus(tokens, [200], 'its own assertion')
      await holdAnswerKept(target, own, String(tokens.json()?.['refresh_token']))
      return `${Object.keys(wrongClaims(target)).length + 14} assertions`
    },
  },
  {
    name: 'an identity assertion that is forged, mixed up or used lets no client in',
    clause: CLAUSE,
    needs: ['process', 'newcomers'],
    async run(target) {
      const [own, other] = [await keyClient(target), await keyClient(target)]
      const refused = async (what: string, assertion: string, by = own) => {
        const reply = await show(target, by, assertion)
        holdStatus(reply, [400, 401, 429], what)
        hold(!reply.text.includes('access_token'), `${what}: a token`)
      }
      const wrong: Record<string, JWTPayload> = {
        ...wrongClaims(target),
        'for another client': { client_id: other.clientId },
        'for no client': { client_id: undefined as never },
        'for another resource': { resource: 'https://other.example/api' },
        'of this server': { iss: issuerOf(target) },
        'a domain of others': { email: 'eve@other.example' },
        'not verified': { email_verified: false },
      }
      for (const [what, claims] of Object.entries(wrong))
        await refused(
          what,
          await identityAssertion(target, own, { claims: { sub: `wrong-${randomUUID()}`, ...claims } }),
        )
      for (const typ of ['JWT', 'at+jwt', undefined])
        await refused(`type ${typ}`, await identityAssertion(target, own, { header: { typ } }))
      const claims = { iss: PROVIDER, sub: 'eve', aud: issuerOf(target), client_id: own.clientId }
      const header = { kid: PROVIDER_KID, ...ID_JAG }
      for (const [what, token] of Object.entries(await forgeries(claims, header, providerJwk)))
        await refused(what, token)
      await refused('shown by another client', await identityAssertion(target, own), other)
      const person = await target.newcomer()
      const me = await person.api.accounts.getSession()
      await refused(
        'an account of its own choice',
        await clientAssertion(target, own, { claims: { sub: me?.user.id ?? '' } }),
      )
      const good = await identityAssertion(target, own, { claims: { sub: `good-${randomUUID()}` } })
      holdStatus(await show(target, own, good), [200], 'a good one')
      await refused('the same again', good)
      const open = await register(target, { grant_types: ['authorization_code', JWT_BEARER] })
      const form = {
        grant_type: JWT_BEARER,
        client_id: open,
        assertion: await identityAssertion(target, { ...own, clientId: open }),
      }
      holdStatus(await target.anonymous().form(TOKEN, form), [400, 401], 'a client without keys')
      return `${Object.keys(wrong).length + 12} assertions`
    },
  },
  {
    name: 'the keys of a client, and of a program that signs, are not fetched from inside, and huge ones are not read',
    clause: CLAUSE,
    async run(target) {
      let asked = 0
      const server = createServer((_, response) => {
        asked++
        response.end('{"keys":[]}')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const inside = [
        `https://127.0.0.1:${port}/k`,
        `https://[::1]:${port}/k`,
        `http://127.0.0.1:${port}/k`,
        'https://169.254.169.254/k',
      ]
      try {
        const method = { token_endpoint_auth_method: 'private_key_jwt' }
        await holdEach(inside, String, async (jwks_uri) =>
          holdStatus(await registration(target, { ...method, jwks_uri }), [400, 429], jwks_uri),
        )
        const { privateKey } = await generateKeyPair('ES256')
        const clientId = await register(target, { ...method, jwks_uri: `https://localhost:${port}/keys` })
        const client_assertion = await clientAssertion(target, { clientId, key: privateKey, jwk: {} })
        const form = {
          grant_type: 'refresh_token',
          refresh_token: 'x',
          client_assertion_type: ASSERTION_TYPE,
          client_assertion,
        }
        holdStatus(await target.anonymous().form(TOKEN, form), [401, 429], 'a name that leads inside')
        const keys = Array.from({ length: 40 }, () => ({ kty: 'RSA', n: 'x'.repeat(500), e: 'AQAB' }))
        holdStatus(await registration(target, { ...method, jwks: { keys } }), [400, 413, 429], 'huge keys')
        const bot = (host: string) => ({
          'Signature-Agent': `"https://${host}"`,
          'Signature-Input': `sig1=("@authority" "signature-agent");created=${now()};expires=${now() + 60};keyid="x";tag="web-bot-auth"`,
          Signature: 'sig1=:AAAA:',
        })
        for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
          holdStatus(await target.send({ path: '/api/community/posts', headers: bot(host) }), [200, 401, 429], host)
        hold(asked === 0, 'keys were fetched from inside')
      } finally {
        server.close()
      }
      return `${inside.length + 5} addresses`
    },
  },
  {
    name: 'a program gets no token by a workload identity that is forged or of others, and names itself nowhere',
    clause: CLAUSE,
    needs: ['process', 'newcomers'],
    async run(target) {
      const [owner, other] = [await target.newcomer(), await target.newcomer()]
      const issuer = 'https://ci.attack.example'
      const { id } = await owner.api.workloads.create({
        name: 'Nightly',
        issuer,
        subject: 'nightly',
        scopes: ['community:read'],
      })
      const { privateKey } = await generateKeyPair('ES256')
      const claims = { iss: issuer, sub: 'nightly', aud: issuerOf(target) }
      const tokens = {
        ...(await forgeries(claims, {}, {})),
        'of a provider': await sign({ claims: { ...claims, iss: PROVIDER }, key: privateKey }),
      }
      await holdEach(
        Object.entries(tokens),
        ([what]) => what,
        async ([what, subject_token]) => {
          const form = {
            grant_type: EXCHANGE,
            subject_token,
            subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
            workload: id,
          }
          holdStatus(await target.anonymous().form(TOKEN, form), [400, 429], what)
        },
      )
      await holdRefused(other.api.workloads.remove({ id }), [404], 'its removal')
      const { token } = await owner.api.personalTokens.create({ name: 'A script', scopes: ['community:write'] })
      const more = { name: 'Mine', issuer, subject: 'x', scopes: ['community:write' as const] }
      await holdRefused(bearer(target, token).api.workloads.create(more), [401], 'one that a token lets in')
      await holdRefused(
        owner.api.workloads.create({ ...more, issuer: 'https://other.example' }),
        [400],
        'another issuer',
      )
      return `${Object.keys(tokens).length} tokens`
    },
  },
]
