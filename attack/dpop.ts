// Tokens that are bound to a key (RFC 9449) and requests that are pushed (RFC 9126).
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { type Attack, hold, holdEach, holdStatus, Skipped, shown } from './attack.ts'
import { AGENT, allowed, ask, consentPage, exchangeForm, follow, REDIRECT, register, TOKEN } from './oauth-client.ts'
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

/** A form to the token endpoint, with a proof of this key. */
const token = (target: Target, form: Record<string, string>, key?: Key): Promise<Reply> =>
  target.anonymous().form(TOKEN, form, key && { DPoP: proof(key, { url: target.origin + TOKEN }) })

/** Tokens bound to a key of the attacker. */
async function boundTokens(target: Target, key: Key) {
  const reply = await token(target, exchangeForm(await allowed(target, await target.member('alice'))), key)
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
      const Authorization = `DPoP ${value}`
      const proven = (changes: Partial<Proof>, holder = key) => ({
        Authorization,
        DPoP: proof(holder, { method: 'GET', url, accessToken: value, ...changes }),
      })
      const iat = Math.floor(Date.now() / 1000)
      const good = proven({})
      holdStatus(await read(target, good), [200], 'the holder of the key')
      const tries: [string, Record<string, string>][] = [
        ['as Bearer', { Authorization: `Bearer ${value}` }],
        ['as Bearer with a proof', { ...proven({}), Authorization: `Bearer ${value}` }],
        ['without a proof', { Authorization }],
        ['the proof again', good],
        ['another key', proven({}, thief)],
        ['another method', proven({ method: 'POST' })],
        ['another address', proven({ url: `${target.origin}/api/library/me` })],
        ['another token', proven({ accessToken: 'x' })],
        ['no token hash', proven({ accessToken: '' })],
        ['an old proof', proven({ claims: { iat: iat - 3_600 } })],
        ['a proof from the future', proven({ claims: { iat: iat + 3_600 } })],
        ['alg none', proven({ header: { alg: 'none' } })],
        ['another type', proven({ header: { typ: 'JWT' } })],
        ['a private key inside', proven({ header: { jwk: { ...key.jwk, d: 'AAAA' } } })],
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
      holdStatus(await token(target, form), [400, 401], 'no proof')
      holdStatus(await token(target, form, thief), [400, 401], 'another key')
      const good = await token(target, form, key)
      holdStatus(good, [200], 'the holder of the key')
      const again = await token(target, form, thief)
      hold(again.status >= 400 && again.text !== good.text, `the retry window answers another key: ${shown(again)}`)
      const none = await token(target, form)
      hold(none.status >= 400, `the retry window answers without a key: ${shown(none)}`)
      holdStatus(await token(target, form, key), [200], 'the holder, again')
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
      const push = (redirectUri: string) => {
        const { query } = ask(target, { clientId, redirectUri, scope: 'community:read' })
        return target.anonymous().form(new URL(endpoint).pathname, Object.fromEntries(query))
      }
      const pushed = await push(REDIRECT)
      holdStatus(pushed, [201], 'an honest one')
      const address = (id: string, more: object = {}) => {
        const query = { client_id: id, request_uri: String(pushed.json()?.['request_uri']), ...more }
        return `/api/auth/oauth2/authorize?${new URLSearchParams(query)}`
      }
      hold((await follow(alice, address(other)))?.pathname !== '/oauth/consent', 'another client uses it')
      const beside = { scope: 'community:write', redirect_uri: 'https://evil.example/' }
      const page = await consentPage(alice, address(clientId, beside)).catch(() => undefined)
      if (page) {
        const { text } = await alice.get(page.pathname + page.search)
        hold(!text.includes('evil.example') && !page.search.includes('community%3Awrite'), 'parameters beside it count')
      }
      holdStatus(await push('https://evil.example/'), [400], 'a pushed request to another address')
      return 'bound to its client'
    },
  },
]
