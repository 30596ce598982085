// Tokens that are bound to a key (RFC 9449) and requests that are pushed (RFC 9126).
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { type Attack, hold, holdEach, holdStatus, Skipped, shown } from './attack.ts'
import { AGENT, codeFor, consentPage, exchangeForm, query, register, token } from './oauth-client.ts'
import { pkce } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

const DPOP = 'dpop'

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Key {
  privateKey: KeyObject
  jwk: object
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) }
}

interface Proof {
  method?: string
  url: string
  accessToken?: string
  header?: object
  claims?: object
}

/** A DPoP proof (RFC 9449, 4.2). */
function proof(
  { privateKey, jwk }: Key,
  { method = 'POST', url, accessToken, header = {}, claims = {} }: Proof,
): string {
  const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url')
  const payload = {
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ...(ath && { ath }),
    ...claims,
  }
  const text = `${base64({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${base64(payload)}`
  return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const tokenUrl = (target: Target) => `${target.origin}/api/auth/oauth2/token`

/** Tokens bound to a key of the attacker. */
async function boundTokens(target: Target, key: Key) {
  const code = await codeFor(await target.member('alice'), { clientId: AGENT })
  const reply = await token(target, exchangeForm(code), { DPoP: proof(key, { url: tokenUrl(target) }) })
  const tokens = reply.json() as { access_token: string; refresh_token: string; token_type: string } | undefined
  hold(reply.status === 200 && tokens?.token_type === 'DPoP', `a proof is passed over: ${shown(reply)}`)
  return tokens
}

const read = (target: Target, headers: Record<string, string>): Promise<Reply> =>
  target.anonymous().get('/api/community/me', headers)

export const dpop: Attack[] = [
  {
    name: 'a stolen token that is bound to a key is worth nothing',
    clause: DPOP,
    needs: ['accounts'],
    async run(target) {
      const [key, thief] = [newKey(), newKey()]
      const { access_token: value } = await boundTokens(target, key)
      const url = `${target.origin}/api/community/me`
      const good = proof(key, { method: 'GET', url, accessToken: value })
      const honest = await read(target, { Authorization: `DPoP ${value}`, DPoP: good })
      holdStatus(honest, [200], 'the holder of the key')
      const tries: [string, Record<string, string>][] = [
        ['as Bearer', { Authorization: `Bearer ${value}` }],
        [
          'as Bearer with a proof',
          { Authorization: `Bearer ${value}`, DPoP: proof(key, { method: 'GET', url, accessToken: value }) },
        ],
        ['without a proof', { Authorization: `DPoP ${value}` }],
        ['the proof again', { Authorization: `DPoP ${value}`, DPoP: good }],
        [
          'another key',
          { Authorization: `DPoP ${value}`, DPoP: proof(thief, { method: 'GET', url, accessToken: value }) },
        ],
        [
          'another method',
          { Authorization: `DPoP ${value}`, DPoP: proof(key, { method: 'POST', url, accessToken: value }) },
        ],
        [
          'another address',
          {
            Authorization: `DPoP ${value}`,
            DPoP: proof(key, { method: 'GET', url: `${target.origin}/api/library/me`, accessToken: value }),
          },
        ],
        [
          'another token',
          { Authorization: `DPoP ${value}`, DPoP: proof(key, { method: 'GET', url, accessToken: 'x' }) },
        ],
        ['no token hash', { Authorization: `DPoP ${value}`, DPoP: proof(key, { method: 'GET', url }) }],
        [
          'an old proof',
          {
            Authorization: `DPoP ${value}`,
            DPoP: proof(key, {
              method: 'GET',
              url,
              accessToken: value,
              claims: { iat: Math.floor(Date.now() / 1000) - 3_600 },
            }),
          },
        ],
        [
          'a proof from the future',
          {
            Authorization: `DPoP ${value}`,
            DPoP: proof(key, {
              method: 'GET',
              url,
              accessToken: value,
              claims: { iat: Math.floor(Date.now() / 1000) + 3_600 },
            }),
          },
        ],
        [
          'alg none',
          {
            Authorization: `DPoP ${value}`,
            DPoP: proof(key, { method: 'GET', url, accessToken: value, header: { alg: 'none' } }),
          },
        ],
        [
          'another type',
          {
            Authorization: `DPoP ${value}`,
            DPoP: proof(key, { method: 'GET', url, accessToken: value, header: { typ: 'JWT' } }),
          },
        ],
        [
          'a private key inside',
          {
            Authorization: `DPoP ${value}`,
            DPoP: proof(key, { method: 'GET', url, accessToken: value, header: { jwk: { ...key.jwk, d: 'AAAA' } } }),
          },
        ],
      ]
      return holdEach(
        tries,
        ([name]) => name,
        async ([, headers]) => holdStatus(await read(target, headers), [400, 401], 'the thief'),
      )
    },
  },
  {
    name: 'a stolen refresh token that is bound to a key is worth nothing, in the retry window either',
    clause: DPOP,
    needs: ['accounts'],
    async run(target) {
      const [key, thief] = [newKey(), newKey()]
      const { refresh_token: value } = await boundTokens(target, key)
      const form = { grant_type: 'refresh_token', client_id: AGENT, refresh_token: value }
      const url = tokenUrl(target)
      holdStatus(await token(target, form), [400, 401], 'no proof')
      holdStatus(await token(target, form, { DPoP: proof(thief, { url }) }), [400, 401], 'another key')
      const good = await token(target, form, { DPoP: proof(key, { url }) })
      holdStatus(good, [200], 'the holder of the key')
      const again = await token(target, form, { DPoP: proof(thief, { url }) })
      hold(again.status >= 400 && again.text !== good.text, `the retry window answers another key: ${shown(again)}`)
      const none = await token(target, form)
      hold(none.status >= 400, `the retry window answers without a key: ${shown(none)}`)
      holdStatus(await token(target, form, { DPoP: proof(key, { url }) }), [200], 'the holder, again')
      return 'three thieves are refused'
    },
  },
  {
    name: 'a pushed request is for its client, once, and cannot be changed',
    clause: 'par',
    needs: ['accounts'],
    async run(target) {
      const metadata = (await target.send({ path: '/api/auth/.well-known/oauth-authorization-server' })).json()!
      const endpoint = metadata['pushed_authorization_request_endpoint']
      if (typeof endpoint !== 'string') throw new Skipped('no pushed requests are offered')
      const [clientId, other, alice] = [await register(target), await register(target), await target.member('alice')]
      const { challenge } = pkce()
      const pushed = await target
        .anonymous()
        .form(new URL(endpoint).pathname, Object.fromEntries(query({ clientId, scope: 'community:read' }, challenge)))
      holdStatus(pushed, [201], 'an honest one')
      const requestUri = String(pushed.json()?.['request_uri'])
      const asked = (id: string, more: object = {}) =>
        new URLSearchParams({ client_id: id, request_uri: requestUri, ...more })
      const stolen = await alice.get(`/api/auth/oauth2/authorize?${asked(other)}`)
      hold(!stolen.headers.location?.includes('/oauth/consent'), 'another client uses it')
      const page = await consentPage(
        alice,
        asked(clientId, { scope: 'community:write', redirect_uri: 'https://evil.example/' }),
      ).catch(() => undefined)
      if (page) {
        const { text } = await alice.get(page.pathname + page.search)
        hold(!text.includes('evil.example') && !page.search.includes('community%3Awrite'), 'parameters beside it count')
      }
      const bad = await target
        .anonymous()
        .form(
          new URL(endpoint).pathname,
          Object.fromEntries(query({ clientId, redirectUri: 'https://evil.example/' }, challenge)),
        )
      holdStatus(bad, [400], 'a pushed request to another address')
      return 'bound to its client'
    },
  },
]
