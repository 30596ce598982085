// Threat 2: an account made with the address of another person. The owner of the mailbox comes later, and must find nothing of it left.
import { redeemCode, requestCode } from '../client/src/main-node.ts'
import { type Attack, atOnce, hold, holdRefused, holdStatus, refusalOf } from './attack.ts'
import { AGENT, allowed, bearer, program, redeem, refresh, revoke, signIn, works } from './oauth-client.ts'
import { freshEmail, freshPassword, type Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = '2 hijacking'
/** In ADMIN_EMAILS of our own servers. */
const ADMIN = 'owner@example.com'

/** A JWT whose grant lives, and one whose grant has ended: nothing but its signature speaks for it. */
async function jwtsOf(target: Target, squatter: Person): Promise<string[]> {
  const resource = `${target.origin}/api/${AGENT}`
  const [kept, ended] = [await signIn(target, squatter, { resource }), await signIn(target, squatter, { resource })]
  await revoke(target, ended)
  for (const { accessToken } of [kept, ended]) hold(await works(target, accessToken), 'an honest JWT is refused')
  return [kept.accessToken, ended.accessToken]
}

/** Everything a squatter can leave behind. */
async function squat(target: Target) {
  const squatter = await target.newcomer()
  const tokens = await signIn(target, squatter)
  const pending = await allowed(target, squatter)
  return { squatter, tokens, pending, jwts: await jwtsOf(target, squatter) }
}

type Squatted = Awaited<ReturnType<typeof squat>>

/** Nothing of what the squatter had is good for anything. */
async function holdNothingLeft(target: Target, { squatter, tokens, pending, jwts }: Squatted): Promise<void> {
  hold(!(await squatter.isSignedIn()), 'the session of the squatter is still signed in')
  await holdRefused(squatter.elsewhere().signIn(), [401], 'the password of the squatter')
  hold(!(await works(target, tokens.accessToken)), 'the access token of the squatter still works')
  for (const jwt of jwts) hold(!(await works(target, jwt)), 'a JWT of the squatter still works')
  await holdRefused(refresh(target, tokens), [400], 'the refresh token of the squatter')
  await holdRefused(redeem(target, pending), [400], 'the code of the squatter')
  const mails = await target.mails(squatter.email, ({ body }) => /removed|signed out|no longer|taken away/i.test(body))
  hold(mails.length > 0, 'no mail says what was removed')
}

/** The token of an agent that the owner of the mailbox lets in. */
async function claim(target: Target, email: string): Promise<string> {
  const agent = { ...program(target), email, clientId: AGENT }
  const ask = () => requestCode({ ...agent, scope: 'community:read offline_access' })
  return (await redeemCode({ ...agent, code: await target.codeMailedBy(email, ask) })).accessToken
}

async function signInByCode(target: Target, email: string): Promise<Person> {
  const owner = target.anonymous()
  const code = await target.codeMailedBy(email, () => owner.api.accounts.sendCode({ email }))
  await owner.api.accounts.signInWithCode({ email, code })
  return owner
}

async function resetPassword(target: Target, email: string): Promise<void> {
  const { accounts } = target.anonymous().api
  const code = await target.codeMailedBy(email, () => accounts.forgotPassword({ email }))
  await accounts.resetPassword({ email, code, password: freshPassword() })
}

const roleOf = async ({ api }: Person) => (await api.accounts.getSession())?.user.role

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
    name: 'a program that a squatter let in by its workload identity is let in no longer',
    clause: CLAUSE,
    needs: ['process', 'newcomers', 'mail'],
    async run(target) {
      const squatter = await target.newcomer()
      const program = { name: 'Nightly', issuer: 'https://ci.attack.example', subject: 'nightly' }
      await squatter.api.workloads.create({ ...program, scopes: ['community:read'] })
      const owner = await signInByCode(target, squatter.email)
      const { items } = await owner.api.workloads.list()
      hold(items.length === 0, 'it can still get tokens of the account')
      return 'it is gone'
    },
  },
  {
    name: 'a squatter at an address of ADMIN_EMAILS is never admin, nor does a claim make one',
    clause: CLAUSE,
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const squatter = await target.newcomer({ email: ADMIN })
      hold((await roleOf(squatter)) === 'member', 'admin by address alone')
      const token = await claim(target, ADMIN)
      hold(!(await squatter.isSignedIn()), 'the session of the squatter lives on')
      await holdRefused(squatter.api.admin.listUsers(), [401, 403], 'the squatter asks for the users')
      const rows = await target.own.query('select role from "user" where email = ?', ADMIN)
      hold(rows[0]?.['role'] === 'member', `a claim gave the role ${rows[0]?.['role']}`)
      await holdRefused(bearer(target, token).api.admin.listUsers(), [401, 403], 'the token asks for the users')
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
        const refusal = await refusalOf(person.api.accounts.signUp({ name: 'x', email, password: freshPassword() }))
        if (!refusal) hold((await roleOf(person)) === 'member', `${email} is admin`)
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
      const { accounts, claims } = target.anonymous().api
      const refused = [400, 401, 403, 409, 422, 429]
      await holdRefused(accounts.signInWithCode({ email, code }), refused, 'sign-in')
      await holdRefused(claims.verify({ email, code, client_id: AGENT }), refused, 'the claim of an agent')
      await holdRefused(accounts.resetPassword({ email, code, password: freshPassword() }), refused, 'a new password')
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
      await person.api.accounts.verifyEmail({ code: await target.code(person.email) })
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
      const { accounts } = owner.api
      const code = await target.codeMailedBy(email, () => accounts.sendCode({ email }))
      const others = Array.from({ length: 6 }, () => squatter.elsewhere())
      await Promise.all([
        accounts.signInWithCode({ email, code }),
        atOnce(6, async (n) => others[n]?.signIn()),
        squatter.form('/sign-in?/password', {}),
      ])
      for (const person of [squatter, ...others])
        hold(!(await person.isSignedIn()), 'a session of the squatter came through')
      hold(await owner.isSignedIn(), 'the owner was not signed in')
      return '6 sign-ins at the same time are out'
    },
  },
]
