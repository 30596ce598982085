// Tokens: forged, confused, stolen, replayed, or sent where tokens do not belong.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { AGENT, allowed, bearer, exchangeForm, refresh, revoke, signIn, TOKEN, works } from './oauth-client.ts'
import type { Target } from './target.ts'

const TOKENS = 'tokens'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (jwt: string, index: number) =>
  JSON.parse(Buffer.from(jwt.split('.')[index]!, 'base64url').toString()) as Record<string, unknown>

interface Minted {
  jwt: string
  header: Record<string, unknown>
  claims: Record<string, unknown>
  idToken: string
}

/** An honest access token of a member, as a JWT, with the ID token that came along. */
async function mint(target: Target): Promise<Minted> {
  const resource = `${target.origin}/api/${AGENT}`
  const alice = await target.member('alice')
  const scope = 'openid profile email library:read offline_access'
  const code = exchangeForm(await allowed(target, alice, { scope, resource }))
  const tokens = (await target.anonymous().form(TOKEN, { ...code, resource })).json()
  const jwt = String(tokens?.['access_token'])
  hold(jwt.split('.').length === 3, 'no JWT for the agent audience')
  hold(await works(target, jwt), 'an honest JWT is refused')
  return { jwt, header: claimsOf(jwt, 0), claims: claimsOf(jwt, 1), idToken: String(tokens?.['id_token']) }
}

async function forgeries(target: Target): Promise<[name: string, token: string][]> {
  const { jwt, header, claims, idToken } = await mint(target)
  const keys = (await target.send({ path: '/api/auth/jwks' })).json() as { keys: Record<string, string>[] }
  const publicKey = keys.keys.find(({ kid }) => kid === header['kid'])!
  const own = generateKeyPairSync('ed25519')
  const signed = (head: object, body: object) => {
    const text = `${part({ ...header, ...head })}.${part({ ...claims, ...body })}`
    return `${text}.${sign(null, Buffer.from(text), own.privateKey).toString('base64url')}`
  }
  const hmac = (secret: string | Buffer) => {
    const text = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const [head, body, signature] = jwt.split('.') as [string, string, string]
  const jwk = own.publicKey.export({ format: 'jwk' })
  const none = (alg: string): [string, string] => [`alg ${alg}`, `${part({ ...header, alg })}.${body}.`]
  return [
    ...['none', 'None', 'NONE', 'nOnE', ''].map(none),
    ['alg none with the signature', `${part({ ...header, alg: 'none' })}.${body}.${signature}`],
    ['HS256 with x of the public key', hmac(publicKey['x']!)],
    ['HS256 with the public key', hmac(Buffer.from(publicKey['x']!, 'base64url'))],
    ['HS256 with the JWK', hmac(JSON.stringify(publicKey))],
    ['HS256 with nothing', hmac('')],
    ['no signature', `${head}.${body}.`],
    ['a signature cut short', `${head}.${body}.${signature.slice(0, -4)}`],
    ['another key', signed({}, {})],
    ['another key that comes along', signed({ jwk }, {})],
    ['another key at an address', signed({ jku: 'https://evil.example/jwks' }, {})],
    ['kid that is a path', signed({ kid: '../../../../dev/null' }, {})],
    ['kid that is SQL', signed({ kid: "' or 1=1 --" }, {})],
    ['kid __proto__', signed({ kid: '__proto__' }, {})],
    ['no kid', signed({ kid: undefined }, {})],
    ['crit', signed({ crit: ['exp'] }, {})],
    ['more scope', `${head}.${part({ ...claims, scope: 'library:write community:write' })}.${signature}`],
    ['another account', `${head}.${part({ ...claims, sub: 'someone-else' })}.${signature}`],
    ['never expires', `${head}.${part({ ...claims, exp: 9_999_999_999 })}.${signature}`],
    ['four parts', `${jwt}.${signature}`],
    ['five parts', `${jwt}.${signature}.${signature}`],
    ['an ID token', idToken],
  ]
}

/** Opens a stream of unread counts with a token; gives whether it has ended by itself within nine seconds. */
async function streamOf(target: Target, token: string): Promise<() => Promise<boolean>> {
  const url = `http://${target.place.hostname}:${target.place.port}/api/community/notifications/stream`
  const headers = { Host: new URL(target.origin).host, Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
  const { status, body } = await fetch(url, { headers })
  hold(status === 200 && body !== null, `no honest stream: ${status}`)
  const reader = body!.getReader()
  const end = (async () => {
    while (!(await reader.read()).done);
    return true
  })()
  return async () => {
    const isOver = await Promise.race([end, setTimeout(9_000, false, { ref: false })])
    if (!isOver) await reader.cancel()
    return isOver
  }
}

export const tokens: Attack[] = [
  {
    name: 'a stream that a token opened ends with it',
    clause: TOKENS,
    needs: ['newcomers', 'process'],
    async run(target) {
      const scope = 'community:read offline_access'
      const [one, other] = [await target.newcomer(), await target.newcomer()]
      const [ended, revoked] = [await signIn(target, one, { scope }), await signIn(target, other, { scope })]
      const streams = [await streamOf(target, ended.accessToken), await streamOf(target, revoked.accessToken)]
      for (const { id } of (await one.api.signIns.list()).items) await one.api.signIns.end({ id })
      await revoke(target, revoked)
      for (const isOver of await Promise.all(streams.map((isEnded) => isEnded())))
        hold(isOver, 'it goes on telling what the account has')
      return 'by its account and by its app'
    },
  },
  {
    name: 'a forged JWT is no credential',
    clause: TOKENS,
    needs: ['accounts'],
    run: async (target) =>
      holdEach(
        await forgeries(target),
        ([name]) => name,
        async ([, forged]) => {
          const headers = { Authorization: `Bearer ${forged}` }
          for (const path of ['/api/library/me', '/api/library/items?scope=mine', '/api/auth/oauth2/userinfo']) {
            holdStatus(await target.send({ path, headers }), [400, 401, 404], path)
          }
        },
      ),
  },
  {
    name: 'a token in the query, a form or a cookie is no credential',
    clause: TOKENS,
    needs: ['accounts'],
    async run(target) {
      const { accessToken: value } = await signIn(target, await target.member('alice'))
      const anonymous = target.anonymous()
      for (const name of ['access_token', 'token', 'bearer_token', 'authorization']) {
        holdStatus(await anonymous.get(`/api/library/me?${name}=${value}`), [400, 401], `?${name}`)
        holdStatus(
          await anonymous.form(`/api/auth/oauth2/userinfo`, { [name]: value }),
          [400, 401, 404, 405],
          `form ${name}`,
        )
        holdStatus(await anonymous.get('/api/library/me', { Cookie: `${name}=${value}` }), [401], `cookie ${name}`)
      }
      holdStatus(
        await anonymous.get('/api/library/me', {
          Authorization: `Basic ${Buffer.from(`a:${value}`).toString('base64')}`,
        }),
        [401],
        'Basic',
      )
      holdStatus(
        await anonymous.get('/api/library/me', { Authorization: `Bearer ${value}, Bearer x` }),
        [401],
        'two tokens',
      )
      holdStatus(await anonymous.get('/api/library/me', { Authorization: `Bearer  ${value} x` }), [401], 'more words')
      return '15 places'
    },
  },
  {
    name: 'one kind of secret is not another: codes, refresh tokens and cookies are no access tokens',
    clause: TOKENS,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const all = await signIn(target, alice)
      const { code = '' } = exchangeForm(await allowed(target, alice))
      for (const value of [all.refreshToken ?? '', code, ...alice.cookies.values()])
        hold(!(await works(target, value)), 'it is an access token')
      for (const [name] of alice.cookies) {
        const thief = target.anonymous()
        thief.cookies.set(name, all.accessToken)
        await holdRefused(thief.api.profile.me(), [401], 'an access token as a cookie')
      }
      await holdRefused(refresh(target, { ...all, refreshToken: all.accessToken }), [400], 'an access token to refresh')
      return 'none passes for another'
    },
  },
  {
    name: 'a token has no more than its scopes: they do not imply each other',
    clause: TOKENS,
    needs: ['accounts'],
    async run(target) {
      const scope = 'community:write library:write'
      const { api } = bearer(target, (await signIn(target, await target.member('alice'), { scope })).accessToken)
      await holdRefused(api.profile.me(), [403], 'community:read')
      await holdRefused(api.library.list({ scope: 'mine' }), [403], 'library:read')
      for (const { list } of [api.passkeys, api.sessions, api.signIns]) await holdRefused(list(), [401], 'the account')
      const change = { password: 'x', newPassword: 'y y y y y y' }
      await holdRefused(api.accounts.changePassword(change), [401], 'a new password')
      return 'refused each'
    },
  },
]
