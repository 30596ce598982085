// security.txt and the address at which a password is changed.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../../test/world.ts'

const get = ({ app }: World, path: string, method = 'GET') =>
  app.fetch(new Request(`http://localhost:3000${path}`, { method }))

onEveryEngine(
  'security.txt',
  (it) => {
    it('names the contact, and expires in less than a year', async (world) => {
      const answer = await get(world, '/.well-known/security.txt')
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
      const text = await answer.text()
      assert.match(text, /^Contact: mailto:security@guild\.example$/m)
      assert.match(text, /^Canonical: http:\/\/localhost:3000\/\.well-known\/security\.txt$/m)
      const [, expires = ''] = text.match(/^Expires: (\S+)$/m) ?? []
      const days = (Date.parse(expires) - world.dependencies.clock.now()) / 86_400_000
      assert.ok(days > 170 && days < 365, expires)
      assert.equal(await (await get(world, '/security.txt')).text(), text)
      assert.equal((await get(world, '/.well-known/security.txt', 'POST')).status, 405)
      world.clock.pass(86_400)
      assert.notEqual(await (await get(world, '/.well-known/security.txt')).text(), text)
    })
  },
  { SECURITY_CONTACT: 'security@guild.example' },
)

onEveryEngine('addresses that are the same at every site', (it) => {
  it('lead to the change of a password', async (world) => {
    const answer = await get(world, '/.well-known/change-password')
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, 'http://localhost:3000/settings/security'])
  })

  it('say nothing of security where no contact is set', async (world) => {
    for (const path of ['/.well-known/security.txt', '/security.txt'])
      assert.equal((await get(world, path)).status, 404)
  })
})
