// The page of what a member reported, and what the inbox says of it, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine } from './world.ts'

onEveryEngine('the page of my reports', (it) => {
  it('says what became of each, and the inbox leads there', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    const page = async (path: string) => (await alice.request(path)).text()
    assert.match(await page('/moderation/reports'), /No reports/)
    const [one, two] = [
      await bob.posts.create({ title: 'Watches', body: 'Cheap' }),
      await bob.posts.create({ title: 'Lamps', body: 'Cheap' }),
    ]
    for (const { id: targetId } of [one, two]) {
      await alice.reports.create({ targetType: 'post', targetId, reason: 'spam', text: 'In five places' })
    }
    const waiting = await page('/moderation/reports')
    assert.match(waiting, /Lamps[\s\S]*In five places[\s\S]*Waiting for a moderator[\s\S]*Watches/)
    const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === one.id)
    await moderator.moderation.decide({ id: found!.id, action: 'hide', rule: 'spam', reason: 'A secret' })
    await app.deliver()
    const decided = await page('/moderation/reports')
    assert.match(decided, /Lamps[\s\S]*Your report of a post[\s\S]*The moderators acted[\s\S]*Hidden/)
    assert.doesNotMatch(decided, /Watches|A secret/)
    assert.match(await page('/notifications'), /Your report of a post[\s\S]*The moderators acted on your report/)
    assert.match(await page('/'), /The moderators decided about your report/)
    assert.match(await page(`/report?type=post&id=${two.id}`), /Report/)
    const led = await anonymous.request('/moderation/reports', { redirect: 'manual' })
    assert.match(led.headers.get('location') ?? '', /^\/sign-in/)
  })
})
