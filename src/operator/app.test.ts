// Apps with a secret, from the command line.
import assert from 'node:assert/strict'
import { startIdentityProvider } from '../../test/identity-provider.ts'
import { runCommand } from '../../test/operator.ts'
import { type SecretApp, show } from '../../test/secret-app.ts'
import { onEveryEngine } from '../../test/world.ts'
import { app } from './app.ts'

const idp = await startIdentityProvider()
const PROVIDERS = [{ issuer: idp.issuer, jwks: idp.jwks, emailDomains: ['example.com'] }]

onEveryEngine(
  'npm run admin -- app',
  (it) => {
    it('registers an app, makes a new secret of it, lists it and ends it', async (world) => {
      const command = (parameters: string[], options: Record<string, string | boolean> = {}) =>
        runCommand(app, world.dependencies.config, { parameters, ...options })
      const made = async (...given: Parameters<typeof command>) => {
        const { code, results, complaints } = await command(...given)
        assert.equal(code, 0, complaints.join())
        return results[0] as SecretApp
      }
      const status = async (one: SecretApp) => (await show(world, idp, one)).status
      const [basic, post] = [await made(['add', 'Agents of us']), await made(['add', 'Others'], { post: true })]
      assert.deepEqual([basic.method, post.method], ['client_secret_basic', 'client_secret_post'])
      assert.deepEqual([await status(basic), await status(post)], [200, 200])
      const rotated = await made(['rotate', basic.id])
      assert.deepEqual([await status(basic), await status(rotated)], [200, 200])
      const last = await made(['rotate', basic.id], { overlap: '0' })
      assert.deepEqual([await status(rotated), await status(last)], [401, 200])
      await made(['end', post.id])
      assert.equal(await status(post), 401)
      const { results } = await command([])
      const names = (results[0] as object as SecretApp[]).map(({ name, ...rest }) => [name, 'secret' in rest])
      assert.deepEqual(names, [['Agents of us', false]])
    })

    it('says what is wrong', async (world) => {
      const code = async (parameters: string[], options: Record<string, string> = {}) =>
        (await runCommand(app, world.dependencies.config, { parameters, ...options })).code
      assert.equal(await code(['add']), 2)
      assert.equal(await code(['remove', 'x']), 2)
      assert.equal(await code(['toString', 'x']), 2)
      assert.equal(await code(['add', 'x'.repeat(61)]), 2)
      for (const overlap of ['-1', '169', 'long', '']) assert.equal(await code(['rotate', 'x'], { overlap }), 2)
      assert.equal(await code(['rotate', 'x'], { overlap: '168' }), 1)
      assert.equal(await code(['end', 'x']), 1)
    })
  },
  { IDENTITY_PROVIDERS: JSON.stringify(PROVIDERS) },
)
