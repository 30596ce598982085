// Provisioning by SCIM: without a token, with one of another kind, by members who make one, and by paths and bodies that lead elsewhere.
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'

const BASE = '/api/scim/v2'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const OPEN = [401, 404]

export const provisioning: Attack[] = [
  {
    name: 'accounts are provisioned with a token that an admin made, and with no other credential',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const scope = 'community:read community:write library:write'
      const { accessToken } = await signIn(target, person, { scope })
      const callers = [
        target.anonymous(),
        person,
        bearer(target, accessToken),
        bearer(target, 'gscim_'.padEnd(49, 'x')),
      ]
      const user = { userName: 'thief@example.com', active: true }
      const paths = ['/Users', '/Groups', '/Schemas', `/Users/${person.id}`, '/Users?filter=userName%20pr']
      const block = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] }
      for (const caller of callers) {
        await holdEach(paths, String, async (path) => holdStatus(await caller.get(BASE + path), OPEN, 'a look'))
        holdStatus(await caller.post(`${BASE}/Users`, user), [...OPEN, 403], 'an account')
        holdStatus(await caller.post(`${BASE}/Users/${person.id}`, block, {}, 'PATCH'), [...OPEN, 403], 'a block')
      }
      await holdRefused(person.api.scimTokens.create({ name: 'mine' }), [403], 'a member makes a token')
      await holdRefused(
        bearer(target, accessToken).api.scimTokens.create({ name: 'mine' }),
        [401, 403],
        'so does an agent',
      )
      await holdRefused(person.api.scimTokens.list(), [403], 'a member lists them')
      hold((await person.api.library.me()).user.id === person.id, 'the account was blocked')
      return `${callers.length} callers`
    },
  },
  {
    name: 'a signal that sessions were revoked is taken of no issuer that the operator did not allow, and of no one else',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const events = { 'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {} }
      const iat = Math.floor(Date.now() / 1000)
      const claims = {
        iat,
        jti: 'x',
        aud: `${target.origin}/api/auth`,
        events,
        sub_id: { format: 'email', email: person.email },
      }
      const heads = [{ alg: 'none' }, { alg: 'HS256' }, { alg: 'EdDSA', kid: 'x' }, { alg: 'RS256', jwk: {} }]
      const issuers = [`${target.origin}/api/auth`, target.origin, 'https://evil.example', 'http://127.0.0.1:1']
      const forged = heads.flatMap((head) =>
        issuers.map((iss) => `${part({ ...head, typ: 'secevent+jwt' })}.${part({ ...claims, iss })}.AAAA`),
      )
      for (const token of [...forged, 'nothing', '']) {
        const headers = { 'Content-Type': 'application/secevent+jwt' }
        const reply = await target
          .anonymous()
          .fetch(`${target.origin}/api/auth/signals`, { method: 'POST', headers, body: token })
        hold([400, 404].includes(reply.status), `a forged signal: ${reply.status}`)
      }
      hold((await person.api.accounts.getSession())?.user.id === person.id, 'the session has ended')
      return `${forged.length} forged signals`
    },
  },
]
