// Addresses to which notifications are not mailed, at the command line.
import assert from 'node:assert/strict'
import { failed, prepare, REPLY_DOMAIN, tell, withMailDoor } from '../../test/mailing.ts'
import { runCommand } from '../../test/operator.ts'
import { onEveryEngine } from '../../test/world.ts'
import { bounces } from './bounces.ts'

onEveryEngine(
  'npm run admin -- bounces',
  (it) => {
    it('lists them, and lets mail go there again', async (world) => {
      const { alice, admin } = world
      await prepare(world)
      const to = (await tell(world)).at(-1)!.returnPath!
      await withMailDoor(world, async ({ send }) => void (await send({ sender: '', to, raw: failed('5.1.1') })))
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
