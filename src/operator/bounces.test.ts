// Addresses to which notifications are not mailed, at the command line.
import assert from 'node:assert/strict'
import { insertBounce, REPLY_DOMAIN } from '../../test/mailing.ts'
import { runCommand } from '../../test/operator.ts'
import { onEveryEngine } from '../../test/world.ts'
import { bounces } from './bounces.ts'

onEveryEngine(
  'npm run admin -- bounces',
  (it) => {
    it('lists them, and lets mail go there again', async (world) => {
      const { alice, admin } = world
      await alice.account()
      // Not by a mail that came back: to wait for one would set the clock of this process ahead, which a command shares with other tests.
      await insertBounce(world, alice.email)
      const ask = (...parameters: string[]) => runCommand(bounces, world.dependencies.config, { parameters })
      const [listed] = (await ask()).results as { email: string; kind: string; status: string }[][]
      assert.deepEqual(
        listed?.map(({ email, kind, status }) => [email, kind, status]),
        [[alice.email, 'hard', '5.1.1']],
      )
      assert.equal((await ask('clear')).code, 2)
      assert.equal((await ask('clear', 'nobody@example.com')).code, 1)
      assert.equal((await ask('clear', alice.email.toUpperCase())).code, 0)
      assert.deepEqual((await admin.bounces.list({})).items, [])
      const { items } = await admin.admin.listAudit({})
      assert.equal(items.filter(({ action }) => action === 'bounce.clear').length, 1)
    })
  },
  { REPLY_DOMAIN },
)
