// Threat 8: a consent that outlives its session, that another gives, or that is given for more than was shown.
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import { foreign } from './csrf.ts'
import { AGENT, consentPage, decide, exchangeForm, query, REDIRECT, register, token } from './oauth-client.ts'
import { FORM, freshPassword, type Person, pkce } from './person.ts'
import type { Target } from './target.ts'

const CONSENT = '8 consent'

/** Ways in which a session stops being what it was when the consent page was shown. */
const ends: [name: string, end: (target: Target, person: Person) => Promise<unknown>][] = [
  ['the session is signed out', (_, person) => person.post('/api/auth/sign-out', {})],
  [
    'the password is changed elsewhere',
    async (_, person) => {
      const other = person.elsewhere()
      await other.signIn()
      const reply = await other.post('/api/auth/change-password', {
        password: person.password,
        newPassword: freshPassword(),
      })
      if (reply.status !== 200) throw new Error(`no other password: ${shown(reply)}`)
    },
  ],
  [
    'the account is blocked',
    async (target, person) =>
      (await target.withRole('admin')).json('PATCH', `/api/community/admin/users/${person.id}/block`, {
        blocked: true,
      }),
  ],
]

export const consent: Attack[] = [
  ...ends.map(
    ([name, end]): Attack => ({
      name: `no code once ${name}`,
      clause: CONSENT,
      needs: ['newcomers', 'roles'],
      async run(target) {
        const person = await target.newcomer()
        const cookies = new Map(person.cookies)
        const page = await consentPage(person, query({ clientId: await register(target) }, pkce().challenge))
        await end(target, person)
        for (const [key, value] of cookies) person.cookies.set(key, value)
        const reply = await decide(person, page)
        hold(!/code=/.test(reply.text + String(reply.headers.location)), `a code was made: ${shown(reply)}`)
        return `${reply.status}`
      },
    }),
  ),
  {
    name: 'no code that outlives a sign-out or a new password in the same moment',
    clause: CONSENT,
    needs: ['newcomers'],
    async run(target) {
      const clientId = await register(target)
      let late = 0
      for (let round = 0; round < 6; round++) {
        const person = await target.newcomer()
        const { verifier, challenge } = pkce()
        const page = await consentPage(person, query({ clientId }, challenge))
        const other = person.elsewhere()
        await other.signIn()
        const change = { password: person.password, newPassword: freshPassword() }
        const [reply] = await Promise.all([decide(person, page), other.post('/api/auth/change-password', change)])
        const code = new URL(String(reply.json()?.['url'] ?? 'http://x/')).searchParams.get('code')
        if (!code) continue
        const exchanged = await token(target, exchangeForm({ code, verifier, clientId, redirectUri: REDIRECT }))
        if (exchanged.status === 200) late++
      }
      hold(late === 0, `${late} of 6 codes were good after the password had changed`)
      return '6 races'
    },
  },
  {
    name: 'a consent that was asked of one session cannot be given by another, nor for more than was shown',
    clause: CONSENT,
    needs: ['accounts'],
    async run(target) {
      const [alice, bob] = [await target.member('alice'), await target.member('bob')]
      const clientId = await register(target)
      const page = await consentPage(alice, query({ clientId, scope: 'community:read' }, pkce().challenge))
      holdStatus(await decide(bob, page), [400, 401, 403], 'another account')
      const changes: Record<string, string> = {
        scope: 'community:write library:write',
        redirect_uri: 'https://evil.example/',
        client_id: AGENT,
        code_challenge: 'x',
        exp: '9999999999',
      }
      return holdEach(Object.keys(changes), String, async (name) => {
        const changed = new URL(page)
        changed.searchParams.set(name, changes[name]!)
        holdStatus(await decide(alice, changed), [400, 401, 403], name)
      })
    },
  },
  {
    name: 'another site cannot give a consent',
    clause: CONSENT,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const page = await consentPage(alice, query({ clientId: await register(target) }, pkce().challenge))
      const given = { accept: true, oauth_query: page.search.slice(1) }
      return holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          holdStatus(await alice.post('/api/auth/oauth2/consent', given, headers), [403], 'JSON')
          const body = new URLSearchParams({ accept: 'true', oauth_query: given.oauth_query }).toString()
          holdStatus(
            await alice.send({
              method: 'POST',
              path: '/api/auth/oauth2/consent',
              headers: { ...FORM, ...headers },
              body,
            }),
            [403],
            'form',
          )
        },
      )
    },
  },
  {
    name: 'the consent page cannot be framed',
    clause: CONSENT,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const page = await consentPage(alice, query({ clientId: await register(target) }, pkce().challenge))
      const { headers } = await alice.get(page.pathname + page.search)
      hold(String(headers['content-security-policy']).includes("frame-ancestors 'none'"), 'no frame-ancestors')
      hold(headers['cache-control']?.includes('no-store'), `Cache-Control: ${headers['cache-control']}`)
      return 'frame-ancestors none, no-store'
    },
  },
]
