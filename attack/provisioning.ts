// Provisioning by SCIM: without a token, with one of another kind, by members who make one, and by paths and bodies that lead elsewhere; and what
// its groups give, in races and after they take it back.
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

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
  {
    name: 'who joins a group of the provider while it is deleted keeps nothing of what it gave',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    run: (target) =>
      provisioned(target, async (ask) => {
        const person = await target.verified()
        const { id } = await ask('POST', '/Users', { userName: person.email })
        for (let round = 0; round < RACES; round++) {
          const { id: group } = await ask('POST', '/Groups', { displayName: GIVES_ADMIN })
          const join = { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }] }
          await Promise.all([ask('PATCH', `/Groups/${group}`, join), ask('DELETE', `/Groups/${group}`)])
          const role = (await person.api.accounts.getSession())?.user.role
          hold(role === 'member', `race ${round}: the role is ${role}`)
        }
        return `${RACES} races`
      }),
  },
  {
    name: 'groups of the provider take back what they gave, no more and no less',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    run: (target) =>
      provisioned(target, async (ask, admin) => {
        const person = await target.verified()
        const { id } = await ask('POST', '/Users', { userName: person.email })
        const { id: group } = await ask('POST', '/Groups', { displayName: GIVES_ADMIN })
        const send = (op: 'add' | 'remove') => {
          const value = { op, path: 'members', value: [{ value: id }] }
          return ask('PATCH', `/Groups/${group}`, { schemas: [PATCH], Operations: [value] })
        }
        const holdRole = async (wanted: string, when: string) => {
          const role = (await person.api.accounts.getSession())?.user.role
          hold(role === wanted, `${when}: the role is ${role}`)
        }
        await send('add')
        await holdRole('admin', 'in the group')
        await send('remove')
        await holdRole('member', 'out of it')
        await admin.api.admin.setRole({ id: String(id), role: 'moderator' })
        await send('add')
        await send('remove')
        await holdRole('moderator', 'an admin gave that before')
        await send('add')
        await admin.api.admin.setRole({ id: String(id), role: 'member' })
        await ask('PATCH', `/Users/${id}`, {
          schemas: [PATCH],
          Operations: [{ op: 'replace', path: 'active', value: true }],
        })
        await holdRole('member', 'an admin took it')
        await send('remove')
        await holdRole('member', 'out of it again')
        await send('add')
        await admin.api.admin.setRole({ id: String(id), role: 'moderator' })
        await send('remove')
        await holdRole('moderator', 'an admin gave that meanwhile')
        return 'it falls to what an admin gave'
      }),
  },
]

const GIVES_ADMIN = 'Attacked owners'
const RACES = 10

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

/** Does it while the server has a provider with a group that gives the role of an admin. */
async function provisioned(target: Target, work: (ask: Ask, admin: Person) => Promise<string>): Promise<string> {
  const admin = (await target.withRole('admin')).elsewhere()
  await admin.signIn()
  await admin.api.settings.change({ changes: { SCIM: 'on', SCIM_GROUPS: `${GIVES_ADMIN} = admin` } })
  const { id, token } = await admin.api.scimTokens.create({ name: 'Attacked' })
  const provider = bearer(target, token)
  const ask: Ask = async (method, path, body) => {
    const reply = await provider.send({
      ...{ method, path: `${BASE}${path}`, headers: { 'Content-Type': 'application/scim+json' } },
      ...(body && { body: JSON.stringify(body) }),
    })
    return reply.text === '' ? {} : JSON.parse(reply.text)
  }
  try {
    return await work(ask, admin)
  } finally {
    await admin.api.scimTokens.revoke({ id })
    await admin.api.settings.change({ changes: { SCIM: null, SCIM_GROUPS: null } })
  }
}
