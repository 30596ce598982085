// What ADMIN_EMAILS gives, and when. Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../test/world.ts'
import { grantConfiguredAdmins } from '../identity/roles.ts'

const password = 'a long password'
const session = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!

const post = (world: World, path: string, body: object, headers: Record<string, string> = {}) =>
  world.anonymous.request(`/api/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

async function signUp(world: World, email: string): Promise<string> {
  const response = await post(world, '/sign-up/email', { name: 'Carol', email, password })
  assert.equal(response.status, 200)
  return session(response)
}

async function signedIn(
  world: World,
  cookie: string,
): Promise<{ user: { role: string; emailVerified: boolean } } | null> {
  const response = await world.anonymous.request('/api/auth/get-session', { headers: { cookie } })
  return response.json() as Promise<{ user: { role: string; emailVerified: boolean } } | null>
}

async function byCode(world: World, email: string): Promise<Response> {
  await world.anonymous.accounts.sendCode({ email })
  return post(world, '/sign-in/code/verify', { email, code: await world.code(email) })
}

/** The same Guildhall, started again with an address in ADMIN_EMAILS. */
const named = ({ dependencies }: World, email: string) => ({
  ...dependencies,
  config: { ...dependencies.config, adminEmails: [email] },
})

onEveryEngine(
  'an address the operator named',
  (it) => {
    it('makes an admin once its mailbox is proven, and not before', async (world) => {
      const cookie = await signUp(world, 'boss@example.com')
      assert.equal((await signedIn(world, cookie))!.user.role, 'member')
      const proven = await byCode(world, 'boss@example.com')
      assert.equal((await proven.json()).user.role, 'admin')
    })

    it('counts at the next start for an account that was proven before', async (world) => {
      await byCode(world, 'late@example.com')
      await grantConfiguredAdmins(named(world, 'late@example.com'), new Date().toISOString())
      const answer = await byCode(world, 'late@example.com')
      assert.equal((await answer.json()).user.role, 'admin')
      const audit = await world.db.selectFrom('audit').selectAll().execute()
      assert.deepEqual(
        audit.map(({ action }) => action),
        ['role.change'],
      )
    })
  },
  { ADMIN_EMAILS: 'boss@example.com' },
)
