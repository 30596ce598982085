// Threat 7: a page of another site that signs a user in or out, or makes an account act.
import { type Attack, hold, holdEach, holdRefused, holdStatus, shown } from './attack.ts'
import { freshEmail, freshPassword, type Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

const CSRF = '7 csrf'

/** What a browser says of a request that another site made. */
export const foreign: [name: string, headers: Record<string, string>][] = [
  ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ['an Origin of another site', { Origin: 'https://evil.example' }],
  ['an Origin of null', { Origin: 'null' }],
  ['cross-site with our own Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost' }],
]

/** Everything that sets or ends a cookie, with a body that would do it. */
const cookieRequests = (email: string, password: string): [path: string, body: object][] => [
  ['/api/auth/sign-in/email', { email, password }],
  ['/api/auth/sign-up/email', { name: 'x', email: freshEmail(), password: freshPassword() }],
  ['/api/auth/sign-in/code/verify', { email, code: '000000' }],
  ['/api/auth/reset-password', { email, code: '000000', password: freshPassword() }],
  ['/api/auth/sign-in/passkey', { response: {} }],
  ['/api/auth/sign-out', {}],
]

const forms = (email: string, password: string): [path: string, fields: Record<string, string>][] => [
  ['/sign-in?/password', { email, password }],
  ['/sign-in?/verify', { email, code: '000000' }],
  ['/sign-up?/create', { name: 'x', email: freshEmail(), password: freshPassword() }],
  ['/sign-out?/end', {}],
  ['/theme', { theme: 'dark' }],
]

/** The account that other sites sign people in to. */
async function bait(target: Target): Promise<Person> {
  return (await target.member('bob')).elsewhere()
}

const refusedAndSilent = (reply: Reply, what: string) => {
  holdStatus(reply, [403], what)
  hold(reply.cookies.length === 0, `${what} set ${reply.cookies.join()}`)
}

export const csrf: Attack[] = [
  {
    name: 'another site cannot sign a user in or out, with a cookie or without',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const bob = await bait(target)
      return holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          for (const [path, body] of cookieRequests(bob.email, bob.password)) {
            refusedAndSilent(await target.anonymous().post(path, body, headers), path)
          }
        },
      )
    },
  },
  {
    name: 'nor by the forms of the site',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const bob = await bait(target)
      return holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          for (const [path, fields] of forms(bob.email, bob.password)) {
            refusedAndSilent(await target.anonymous().form(path, fields, headers), path)
          }
        },
      )
    },
  },
  {
    name: 'another site cannot write with a cookie',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const bug = { title: 'CSRF', description: 'd', severity: 'low' } as const
      const filed = async () => (await alice.api.bugs.list({ authorId: alice.id })).total
      const before = await filed()
      await holdEach(
        foreign,
        ([name]) => name,
        async ([, headers]) => {
          await holdRefused(alice.api.bugs.create(bug, { headers }), [403], 'API')
          holdStatus(await alice.form('/community/bugs/new?/create', bug, headers), [403], 'form')
          await holdRefused(alice.api.profile.update({ name: 'x' }, { headers }), [403], 'profile')
          await holdRefused(alice.api.passkeys.beginRegistration({}, { headers }), [403], 'passkey')
        },
      )
      hold((await filed()) === before, 'a bug was filed')
      return `${foreign.length} kinds of foreign requests`
    },
  },
  {
    name: 'JSON operations take application/json only: no form of another site can write JSON',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const body = JSON.stringify({ title: 'CSRF', description: 'd', severity: 'low' })
      const types = [
        'text/plain',
        'text/plain;application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=a',
        'application/jsonp',
        'text/json',
        '',
      ]
      return holdEach(types, String, async (type) => {
        for (const path of ['/api/community/bugs', '/api/auth/sign-in/code', '/api/auth/oauth2/register']) {
          const reply = await alice.send({ method: 'POST', path, headers: type ? { 'Content-Type': type } : {}, body })
          hold([400, 415].includes(reply.status), `${path}: ${shown(reply)}`)
        }
      })
    },
  },
  {
    name: 'a method in a header or a query is not another method',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      for (const name of ['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method']) {
        const reply = await alice.get('/api/auth/sign-out?_method=POST', { [name]: 'POST' })
        hold(reply.status === 405 || reply.status === 404, `${name}: ${reply.status}`)
      }
      hold(await alice.isSignedIn(), 'signed out by a GET')
      return 'passed over'
    },
  },
  {
    name: 'a cookie that was planted before is not the session after sign-in',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const [name] = [...alice.cookies.keys()].filter((key) => !/theme/.test(key))
      const browser = alice.elsewhere()
      browser.cookies.set(name!, 'planted-by-an-attacker')
      await browser.signIn()
      const first = browser.cookies.get(name!)
      hold(first !== 'planted-by-an-attacker', 'the planted value was kept')
      await browser.signIn()
      hold(browser.cookies.get(name!) !== first, 'a second sign-in kept the value')
      return 'a new value each time'
    },
  },
  {
    name: 'the session cookie is HttpOnly and SameSite, and on https Secure with __Host-',
    clause: CSRF,
    needs: ['accounts'],
    async run(target) {
      const { email, password } = await target.member('alice')
      const reply = await target.anonymous().post('/api/auth/sign-in/email', { email, password })
      const line = reply.cookies.find((cookie) => /httponly/i.test(cookie)) ?? ''
      for (const wanted of ['HttpOnly', 'SameSite=Lax', 'Path=/'])
        hold(line.includes(wanted), `no ${wanted}: ${line.replace(/=[^;]*/, '=...')}`)
      if (target.place.secure) hold(/^__Host-/.test(line) && /; Secure/.test(line), 'not Secure with __Host-')
      hold(!/domain=/i.test(line), 'it has a Domain')
      return line.replace(/=[^;]*/, '=...')
    },
  },
]
