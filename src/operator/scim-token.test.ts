// A token for provisioning, made at the command line.
import assert from 'node:assert/strict'
import { runCommand } from '../../test/operator.ts'
import { providerOf } from '../../test/scim-provider.ts'
import { onEveryEngine } from '../../test/world.ts'
import { scimToken } from './scim-token.ts'

onEveryEngine(
  'npm run admin -- scim-token',
  (it) => {
    it('makes a token that provisions, with a name of one line', async (world) => {
      const make = (...parameters: string[]) => runCommand(scimToken, world.dependencies.config, { parameters })
      const { code, results } = await make(' Okta\u202e\n\tof us ')
      assert.equal(code, 0)
      const [made] = results as { token: string; name: string }[]
      assert.equal(made?.name, 'Okta of us')
      assert.equal((await (await providerOf(world, made?.token)).get('/Users')).status, 200)
      assert.deepEqual(
        (await world.admin.scimTokens.list()).items.map(({ name }) => name),
        ['Okta of us'],
      )
      assert.equal((await make('x'.repeat(60))).code, 0)
      for (const wrong of ['', ' ', 'x'.repeat(61), 'a\0b']) assert.equal((await make(wrong)).code, 2)
    })
  },
  { SCIM: 'on' },
)
