// Threat 2: an account made with the address of another person. The owner of the mailbox comes later, and must find nothing of it left.
import { type Attack, hold, holdStatus } from './attack.ts'
import { AGENT, codeFor, exchangeForm, refresh, revoke, signIn, token, works } from './oauth-client.ts'
import { FORM, freshEmail, freshPassword, type Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = '2 hijacking'
/** In ADMIN_EMAILS of our own servers. */
const ADMIN = 'owner@example.com'

/** A JWT whose grant lives, and one whose grant has ended: nothing but its signature speaks for it. */
async function jwtsOf(target: Target, squatter: Person): Promise<string[]> {
  const more = { resource: `${target.origin}/api/${AGENT}` }
  const [kept, ended] = [
    await signIn(target, squatter, { clientId: AGENT }, more),
    await signIn(target, squatter, { clientId: AGENT }, more),
  ]
  holdStatus(await revoke(target, AGENT, ended.refresh_token), [200], 'the end of a grant')
  for (const { access_token: jwt } of [kept, ended]) hold(await works(target, jwt), 'an honest JWT is refused')
  return [kept.access_token, ended.access_token]
}

/** Everything a squatter can leave behind. */
async function squat(target: Target) {
  const squatter = await target.newcomer()
  const before = await target.codesMailed(squatter.email)
  const tokens = await signIn(target, squatter, { clientId: AGENT })
  const pending = await codeFor(squatter, { clientId: AGENT })
  const jwts = await jwtsOf(target, squatter)
  return { squatter, tokens, pending, jwts, before }
}

type Squatted = Awaited<ReturnType<typeof squat>>

/** Nothing of what the squatter had is good for anything. */
async function holdNothingLeft(target: Target, { squatter, tokens, pending, jwts }: Squatted): Promise<void> {
  hold(!(await squatter.isSignedIn()), 'the session of the squatter is still signed in')
  const password = await squatter.elsewhere().signIn()
  hold(password.status === 401, `the password of the squatter still works: ${password.status}`)
  hold(!(await works(target, tokens.access_token)), 'the access token of the squatter still works')
  for (const jwt of jwts) hold(!(await works(target, jwt)), 'a JWT of the squatter still works')
  const refreshed = await refresh(target, AGENT, tokens.refresh_token)
  hold(refreshed.status === 400, `the refresh token of the squatter still works: ${refreshed.status}`)
  const exchanged = await token(target, exchangeForm(pending))
  hold(exchanged.status === 400, `the code of the squatter still works: ${exchanged.status}`)
  const mails = await target.mails(squatter.email, ({ body }) => /removed|signed out|no longer|taken away/i.test(body))
  hold(mails.length > 0, 'no mail says what was removed')
}

async function claim(target: Target, email: string, more: object = {}): Promise<Record<string, unknown>> {
  const agent = target.anonymous()
  const seen = await target.codesMailed(email)
  const asked = await agent.post('/api/auth/agent/claim', {
    email,
    client_id: AGENT,
    scope: 'community:read offline_access',
  })
  holdStatus(asked, [200], 'the claim')
  const code = await target.code(email, { after: seen })
  const reply = await agent.post('/api/auth/agent/claim/verify', { email, code, client_id: AGENT, ...more })
  holdStatus(reply, [200], 'the code of the claim')
  return reply.json()!
}

async function signInByCode(target: Target, email: string): Promise<Person> {
  const owner = target.anonymous()
  const seen = await target.codesMailed(email)
  await owner.post('/api/auth/sign-in/code', { email })
  const code = await target.code(email, { after: seen })
  holdStatus(await owner.post('/api/auth/sign-in/code/verify', { email, code }), [200], 'sign-in by code')
  return owner
}

async function resetPassword(target: Target, email: string): Promise<void> {
  const owner = target.anonymous()
  const seen = await target.codesMailed(email)
  await owner.post('/api/auth/forgot-password', { email })
  const code = await target.code(email, { after: seen })
  const reply = await owner.post('/api/auth/reset-password', { email, code, password: freshPassword() })
  holdStatus(reply, [200], 'the reset')
}

const roleOf = async (person: Person) =>
  ((await person.get('/api/auth/get-session')).json()?.['user'] as { role?: string } | undefined)?.role

const takeovers: [string, (target: Target, email: string) => Promise<unknown>][] = [
  ['claims it', (target, email) => claim(target, email)],
  ['signs in by code', signInByCode],
  ['resets the password', resetPassword],
]

export const hijacking: Attack[] = [
  ...takeovers.map(
    ([how, takeOver]): Attack => ({
      name: `a squatter keeps nothing when the owner of the mailbox ${how}`,
      clause: CLAUSE,
      needs: ['newcomers', 'mail'],
      async run(target) {
        const squatted = await squat(target)
        await takeOver(target, squatted.squatter.email)
        await holdNothingLeft(target, squatted)
        return 'session, password, tokens, JWTs and pending code are gone, and a mail says so'
      },
    }),
  ),
  {
    name: 'a squatter at an address of ADMIN_EMAILS is never admin, nor does a claim make one',
    clause: CLAUSE,
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const squatter = await target.newcomer({ email: ADMIN })
      hold((await roleOf(squatter)) === 'member', 'admin by address alone')
      const { access_token: accessToken } = await claim(target, ADMIN)
      hold(!(await squatter.isSignedIn()), 'the session of the squatter lives on')
      holdStatus(await squatter.get('/api/community/admin/users'), [401, 403], 'the squatter asks for the users')
      const rows = await target.own.query('select role from "user" where email = ?', ADMIN)
      hold(rows[0]?.['role'] === 'member', `a claim gave the role ${rows[0]?.['role']}`)
      const admin = await target.send({
        path: '/api/community/admin/users',
        headers: { Authorization: `Bearer ${accessToken}` },
      })
      holdStatus(admin, [401, 403], 'the token of the claim asks for the users')
      return 'member before and after the claim'
    },
  },
  {
    name: 'addresses that look like one of ADMIN_EMAILS are other addresses',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      for (const email of [
        'owner@example.com.evil.example',
        'owner+1@example.com',
        'öwner@example.com',
        'owner@ｅxample.com',
      ]) {
        const person = target.anonymous()
        const reply = await person.post('/api/auth/sign-up/email', { name: 'x', email, password: freshPassword() })
        if (reply.status === 200) hold((await roleOf(person)) === 'member', `${email} is admin`)
      }
      return '4 variants are no admins'
    },
  },
  {
    name: 'a code that was mailed to a squatted account for its own session proves nothing to others',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const email = freshEmail('victim')
      const squatter = await target.newcomer({ email })
      const code = await target.code(email)
      const other = target.anonymous()
      for (const path of [
        '/api/auth/sign-in/code/verify',
        '/api/auth/agent/claim/verify',
        '/api/auth/reset-password',
      ]) {
        const reply = await other.post(path, { email, code, client_id: AGENT, password: freshPassword() })
        hold(reply.status >= 400 && reply.status < 500, `${path} took the code of sign-up: ${reply.status}`)
      }
      hold(await squatter.isSignedIn(), 'tries of others ended a session')
      return 'three other uses are refused'
    },
  },
  {
    name: 'sign-up mails the code that verifies the mailbox at once',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const person = await target.newcomer()
      const code = await target.code(person.email)
      holdStatus(await person.post('/api/auth/verify-email', { code }), [200], 'the code of sign-up')
      hold(await person.isSignedIn(), 'verifying from the own session ended it')
      return 'it came, and verifying from the own session removed nothing'
    },
  },
  {
    name: 'the site asks for that code as the next step of sign-up',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = target.anonymous()
      const fields = { name: 'A member', email: freshEmail(), password: freshPassword() }
      const reply = await person.form('/sign-up?/create', fields, { Accept: 'text/html' })
      holdStatus(reply, [303], 'the form of sign-up')
      const next = await person.get(reply.headers.location!, { Accept: 'text/html' })
      hold(/name="code"/.test(next.text), `${reply.headers.location} has no field for a code`)
      return reply.headers.location!
    },
  },
  {
    name: 'a squatter cannot renew a session in the moment it is removed',
    clause: CLAUSE,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const squatter = await target.newcomer()
      const owner = target.anonymous()
      const { email } = squatter
      const seen = await target.codesMailed(email)
      await owner.post('/api/auth/sign-in/code', { email })
      const code = await target.code(email, { after: seen })
      const others = Array.from({ length: 6 }, () => squatter.elsewhere())
      await Promise.all([
        owner.post('/api/auth/sign-in/code/verify', { email, code }),
        ...others.map((other) => other.signIn()),
        squatter.send({ method: 'POST', path: '/sign-in?/password', headers: FORM, body: '' }),
      ])
      for (const person of [squatter, ...others])
        hold(!(await person.isSignedIn()), 'a session of the squatter came through')
      hold(await owner.isSignedIn(), 'the owner was not signed in')
      return '6 sign-ins at the same time are out'
    },
  },
]
