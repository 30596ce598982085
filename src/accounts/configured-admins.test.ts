// What ADMIN_EMAILS gives, and when. Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { byCode, signedIn, signUp } from '../../test/sign-up.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { grantConfiguredAdmins } from '../identity/roles.ts'

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
