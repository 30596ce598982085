// One budget for all surfaces: REST, tools and the site's forms use up the same, and its owner sees what is left.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { callTool, tokenOf } from './mcp/caller.ts'
import { onEveryEngine } from './world.ts'

const bug = { title: 'Late', description: 'It came at nine.', severity: 'low' } as const

onEveryEngine(
  'a budget',
  (it) => {
    it('is used up by REST, tools and forms together, and each says so in its words', async (world) => {
      const { alice, app } = world
      const token = await tokenOf(world, alice)
      await alice.bugs.create(bug)
      await alice.posts.create({ title: 'Hello', body: 'there' })
      assert.equal((await callTool(app, 'create_bug', bug, { token })).isError ?? false, false)
      assert.equal((await callTool(app, 'create_post', { title: 'A', body: 'B' }, { token })).isError ?? false, false)
      assert.equal((await submit(alice, '/community/bugs/new?/create', bug)).status, 303)
      const sentence = /At most 5 bugs, feature requests and posts an hour until your email is verified; try again in/
      await assert.rejects(alice.features.create({ title: 'Dark', description: 'mode' }), {
        status: 429,
        message: sentence,
      })
      const result = await callTool(app, 'create_feature', { title: 'Dark', description: 'mode' }, { token })
      assert.equal(result.isError, true)
      assert.match(result.content[0]!.text!, sentence)
      const form = await submit(alice, '/community/bugs/new?/create', bug)
      assert.equal(form.status, 429)
      const page = await form.text()
      assert.match(page, sentence)
      assert.match(page, /value="Late"/)
    })

    it('of bytes is shown on the settings page, without script', async (world) => {
      const { alice, admin, db } = world
      const page = async (person: typeof alice) => (await person.request('/settings')).text()
      assert.match(await page(alice), /<meter min="0" max="20971520"[^>]* value="0"/)
      const { id } = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
      await alice.orgRuns.add({ id, files: [new File(['x'.repeat(1_500_000)], 'a.md')] })
      const shown = await page(alice)
      assert.match(shown, /1\.5 MB of 20 MB used/)
      assert.match(shown, /Verify your email/)
      await db
        .updateTable('user')
        .set({ emailVerifiedAt: new Date().toISOString() })
        .where('email', '=', alice.email)
        .execute()
      const verified = await page(alice)
      assert.match(verified, /1\.5 MB of 2 GB used/)
      assert.doesNotMatch(verified, /Verify your email/)
      const unlimited = await page(admin)
      assert.match(unlimited, /\b0 bytes used/)
      assert.doesNotMatch(unlimited, /<meter/)
    })
  },
  { RATE_LIMITS: 'on' },
)
