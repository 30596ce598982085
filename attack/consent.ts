// Threat 8: a consent that outlives its session, that another gives, or that is given for more than was shown.
import { type Attack, hold, holdEach, holdStatus, refusalOf, shown } from './attack.ts'
import { foreign } from './csrf.ts'
import { AGENT, ask, consentPage, decide, redeem, register } from './oauth-client.ts'
import { freshPassword, type Person } from './person.ts'
import type { Target } from './target.ts'

const CONSENT = '8 consent'

/** Ways in which a session stops being what it was when the consent page was shown. */
const ends: [name: string, end: (target: Target, person: Person) => Promise<unknown>][] = [
  ['the session is signed out', (_, { api }) => api.accounts.signOut()],
  ['the password is changed elsewhere', (_, person) => changePassword(person)],
  [
    'the account is blocked',
    async (target, { id }) => (await target.withRole('admin')).api.admin.block({ id, blocked: true }),
  ],
]

/** Changes the password in another browser. */
async function changePassword(person: Person): Promise<void> {
  const other = person.elsewhere()
  await other.signIn()
  await other.api.accounts.changePassword({ password: person.password, newPassword: freshPassword() })
}

export const consent: Attack[] = [
  ...ends.map(
    ([name, end]): Attack => ({
      name: `no code once ${name}`,
      clause: CONSENT,
      needs: ['newcomers', 'roles'],
      async run(target) {
        const person = await target.newcomer()
        const cookies = new Map(person.cookies)
        const page = await consentPage(person, ask(target, { clientId: await register(target) }).path)
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
        const { path, pending } = ask(target, { clientId })
        const page = await consentPage(person, path)
        const other = person.elsewhere()
        await other.signIn()
        const change = { password: person.password, newPassword: freshPassword() }
        const [reply] = await Promise.all([decide(person, page), other.api.accounts.changePassword(change)])
        const callback = String(reply.json()?.['url'] ?? '')
        if (callback.includes('code=') && !(await refusalOf(redeem(target, { pending, callback })))) late++
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
      const page = await consentPage(alice, ask(target, { clientId, scope: 'community:read' }).path)
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
      const page = await consentPage(alice, ask(target, { clientId: await register(target) }).path)
      const form = { accept: 'true', oauth_query: page.search.slice(1) }
      return holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          holdStatus(await decide(alice, page, headers), [403], 'JSON')
          holdStatus(await alice.form('/api/auth/oauth2/consent', form, headers), [403], 'form')
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
      const page = await consentPage(alice, ask(target, { clientId: await register(target) }).path)
      const { headers } = await alice.get(page.pathname + page.search)
      hold(String(headers['content-security-policy']).includes("frame-ancestors 'none'"), 'no frame-ancestors')
      hold(headers['cache-control']?.includes('no-store'), `Cache-Control: ${headers['cache-control']}`)
      return 'frame-ancestors none, no-store'
    },
  },
]
