// An org of the gallery has one home: other addresses lead there, one list shows it with what lists tell of it, and it has a picture in any case.
import assert from 'node:assert/strict'
import { orgFile } from './library.ts'
import { named, publish } from './owners.ts'
import { tinyPng } from './pictures.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

/** Where an address leads to; undefined for one that leads nowhere. */
const leadsTo = async (person: Person, path: string): Promise<[number, string | null]> => {
  const answer = await person.request(path)
  return [answer.status, answer.headers.get('location')]
}

async function galleryOrg({ alice }: World, name = 'Invoice desk') {
  await named(alice, 'alice-weaves')
  return alice.orgs.create({ orgJson: await orgFile({ name }).text() })
}

onEveryEngine('an org of the gallery', (it) => {
  it('has one page, to which its id and the library lead', async (world) => {
    const { anonymous } = world
    const { id, slug } = await galleryOrg(world)
    const { url } = await anonymous.orgs.get({ id })
    assert.equal(url, `/community/orgs/${slug}`)
    assert.equal((await anonymous.request(url)).status, 200)
    assert.deepEqual(await leadsTo(anonymous, `/community/orgs/${id}?page=2`), [308, `${url}?page=2`])
    assert.deepEqual(await leadsTo(anonymous, `/library/orgs/${slug}`), [301, url])
    assert.equal((await anonymous.request('/community/orgs/no-such-org')).status, 404)
  })

  it('is in both lists, with its comments and runs, and not while it is hidden', async (world) => {
    const { anonymous, bob, alice, moderator } = world
    const { id, slug } = await galleryOrg(world)
    const url = `/community/orgs/${slug}`
    await bob.orgs.comment({ id, body: 'It works here' })
    await alice.orgRuns.add({ id, label: 'first', files: [new File(['# Result'], 'result.md')] })
    for (const list of ['/community/orgs', '/library']) {
      const html = await (await anonymous.request(list)).text()
      assert.ok(html.includes(`href="${url}"`), list)
      assert.match(html, /Invoice desk/)
    }
    const [item] = (await anonymous.library.list({ kind: 'org' })).items
    assert.deepEqual([item?.comment_count, item?.run_count, item?.banner_url], [1, 1, undefined])
    await bob.reports.create({ targetType: 'org', targetId: id, reason: 'spam' })
    const [open] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: open!.id, action: 'hide', rule: 'spam', reason: 'Advertising' })
    for (const list of ['/community/orgs', '/library'])
      assert.ok(!(await (await anonymous.request(list)).text()).includes(url), list)
    const { items } = await anonymous.library.list({ kind: 'org' })
    assert.deepEqual(items, [])
  })

  it('has its banner for a cover, or its chart, without a word of its file', async (world) => {
    const { alice, anonymous } = world
    const { id, slug } = await galleryOrg(world)
    const cover = `/library/orgs/${slug}/cover`
    const drawn = await anonymous.request(cover)
    assert.deepEqual([drawn.status, drawn.headers.get('content-type')], [200, 'image/svg+xml'])
    assert.match(drawn.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const svg = await drawn.text()
    assert.match(svg, /<rect x=/)
    assert.doesNotMatch(svg, /<text|<script|Invoice/)
    const { url } = await alice.orgImages.add({ id, image: await tinyPng() })
    await alice.orgs.update({ id, bannerUrl: url })
    const [status, location] = await leadsTo(anonymous, cover)
    assert.deepEqual([status, location], [302, `${url}?width=960`])
    assert.match((await anonymous.request(location!)).headers.get('content-type') ?? '', /^image\//)
    assert.equal((await anonymous.library.list({ kind: 'org' })).items[0]?.banner_url, url)
  })
})

onEveryEngine('what is no org', (it) => {
  it('has no cover, and a private org has none for others', async (world) => {
    const { alice, bob } = world
    await named(alice, 'alice-weaves')
    const workflow = await publish(alice)
    assert.equal((await bob.request(`/library/workflows/${workflow.slug}/cover`)).status, 404)
    const org = await alice.library.publish({
      kind: 'org',
      visibility: 'private',
      file: orgFile({ name: 'Secret desk' }),
    })
    assert.equal((await bob.request(`/library/orgs/${org.slug}/cover`)).status, 404)
    const own = await alice.request(`/library/orgs/${org.slug}/cover`)
    assert.equal(own.status, 200)
    assert.match(own.headers.get('cache-control') ?? '', /private|no-store/)
  })
})
