// Settings at the command line: they hold in a running server, and are audited as the operator's.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../../test/operator.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { settings } from './settings.ts'

const run = ({ dependencies }: World, ...parameters: string[]) =>
  runCommand(settings, dependencies.settings.environment, { parameters })

onEveryEngine(
  'npm run admin -- settings',
  (it) => {
    it('changes what a running server does within a second, and back', async (world) => {
      const { admin } = world
      await admin.account()
      assert.equal((await run(world, 'set', 'SIGN_UP', 'closed')).code, 0)
      await sleep(1_000)
      assert.equal((await admin.invitations.list()).signUp, 'closed')
      const { results } = await run(world, 'get', 'SIGN_UP')
      const [shown] = results as { value: string; source: string }[]
      assert.deepEqual([shown!.value, shown!.source], ['closed', 'stored'])
      assert.equal((await run(world, 'unset', 'SIGN_UP')).code, 0)
      await sleep(1_000)
      assert.equal((await admin.invitations.list()).signUp, 'open')
      const { items } = await admin.admin.listAudit({ action: 'setting.change' })
      assert.deepEqual(
        items.map(({ actorId, targetId }) => [actorId, targetId]),
        [
          [null, 'SIGN_UP'],
          [null, 'SIGN_UP'],
        ],
      )
    })

    it('lists all of them, and no secret', async (world) => {
      assert.equal((await run(world, 'set', 'OIDC_CLIENT_SECRET', 'hunter2')).code, 0)
      const { code, results } = await run(world, 'list')
      assert.equal(code, 0)
      assert.ok(!JSON.stringify(results).includes('hunter2'))
      assert.match(JSON.stringify(results), /"OIDC_CLIENT_SECRET".*"isSet":true/)
    })

    it('refuses what is wrong', async (world) => {
      const wrong: [string[], number][] = [
        [['set', 'SIGN_UP', 'sometimes'], 1],
        [['set', 'PORT', '1'], 1],
        [['set', 'ACCENT', '#000000'], 1],
        [['get', 'NOTHING'], 1],
        [['set', 'SIGN_UP'], 2],
        [['list', 'SIGN_UP'], 2],
        [['toString'], 2],
      ]
      for (const [parameters, code] of wrong)
        assert.equal((await run(world, ...parameters)).code, code, parameters.join(' '))
    })
  },
  { ACCENT: '#2b6cb0' },
)
