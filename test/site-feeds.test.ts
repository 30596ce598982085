// The times of Atom feeds.
import assert from 'node:assert/strict'
import { before } from 'node:test'
import { buildSite } from '../src/surfaces/site/build.ts'
import { orgFile, workflowFile } from './library.ts'
import { onEveryEngine } from './world.ts'

onEveryEngine('Atom feeds', (it) => {
  before(() => buildSite(() => {}))

  it('move the time of an entry when the thing is edited', async ({ alice, anonymous }) => {
    await alice.profile.setUsername({ username: 'mover' })
    const post = await alice.posts.create({ title: 'Hello mover', body: 'One' })
    const bug = await alice.bugs.create({ title: 'Slow', description: 'One', severity: 'low' })
    const feature = await alice.features.create({ title: 'More', description: 'One' })
    const comment = await alice.posts.comment({ id: post.id, body: 'A mover, too' })
    const org = await alice.orgs.create({ orgJson: await orgFile().text() })
    const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    const times = async (path: string) => {
      const entries = (await (await anonymous.request(path)).text()).split('<entry>').slice(1)
      return entries.map((entry) => entry.match(/<published>(.*?)<[\s\S]*<updated>(.*?)</)!.slice(1))
    }
    const feeds = {
      '/feed.atom': 5,
      '/community/u/mover.atom': 5,
      '/community/posts.atom': 1,
      '/community/bugs.atom': 1,
      '/search.atom?q=mover&type=post,comment': 2,
      '/search.atom?q=slow': 1,
      '/search.atom?q=more&type=feature': 1,
    }
    for (const path of Object.keys(feeds)) {
      assert.ok(
        (await times(path)).every(([made, changed]) => made === changed),
        path,
      )
    }
    await alice.posts.edit({ id: post.id, body: 'Two' })
    await alice.comments.edit({ id: comment.id, body: 'A mover, still' })
    await alice.bugs.edit({ id: bug.id, description: 'Two' })
    await alice.features.edit({ id: feature.id, description: 'Two' })
    await alice.orgs.update({ id: org.id, body: 'Two' })
    await alice.library.update({ id: item.id, description: 'Two' })
    for (const [path, count] of Object.entries(feeds)) {
      const found = await times(path)
      assert.equal(found.length, count, path)
      assert.ok(
        found.every(([made, changed]) => made! < changed!),
        `${path} ${JSON.stringify(found)}`,
      )
    }
  })
})
