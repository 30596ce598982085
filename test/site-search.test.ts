// The page of the search: hits with what matches marked, types as links, and what it says where nothing is found.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from './world.ts'

const pageOf = async ({ anonymous }: World, path: string) => {
  const response = await anonymous.request(path)
  assert.equal(response.status, 200, path)
  // Without the marks of components.
  return (await response.text()).replace(/<!--.*?-->/g, '')
}

onEveryEngine('the page of the search', (it) => {
  it('marks what matches, as text and never as HTML', async (world) => {
    const { alice } = world
    await alice.posts.create({ title: 'A <b>wombat</b> & more', body: 'Of <script>wombats</script>' })
    const page = await pageOf(world, '/search?q=wombat')
    assert.match(page, /A &lt;b><mark>wombat<\/mark>&lt;\/b> &amp; more/)
    assert.match(page, /Of &lt;script><mark>wombats<\/mark>&lt;\/script>/)
    assert.match(page, /<meta name="robots" content="noindex"/)
    const start = await pageOf(world, '/search')
    assert.match(start, /<link rel="canonical" href="[^"]*\/search"/)
    assert.doesNotMatch(start, /noindex/)
  })

  it('has types as links, each with its count, and keeps those that are chosen', async (world) => {
    const { alice, bob } = world
    const { id } = await alice.bugs.create({ title: 'Wombat', description: 'D', severity: 'low' })
    for (let n = 0; n < 21; n++) await bob.bugs.comment({ id, body: `A wombat, ${n}` })
    const page = await pageOf(world, '/search?q=wombat')
    assert.match(page, /<a href="\/search\?q=wombat&amp;type=comment">\s*Comments<span class="number quiet">21</)
    assert.match(page, /<a href="\/search\?q=wombat&amp;page=1" rel="next">/)
    const comments = await pageOf(world, '/search?q=wombat&type=comment&page=1')
    assert.equal(comments.match(/<mark>/g)?.length, 1)
    assert.match(comments, /<title>[^<]*, page 2 · Guildhall<\/title>/)
    assert.doesNotMatch(page, /<title>[^<]*page/)
    assert.match(comments, /<a href="\/search\?q=wombat&amp;type=comment%2Cbug">/)
    assert.match(comments, /<a href="\/search\?q=wombat" aria-current="true">\s*Comments/)
    assert.match(await pageOf(world, '/search?q=wombat&type=person'), /Nothing found in People/)
    assert.match(await pageOf(world, '/search?q=wombat&type=nothing'), /Bugs<span class="number quiet">1</)
    assert.match(await pageOf(world, '/search?q=wombat&page=7'), /No such page/)
  })

  it('says what it searched for instead, and what to try where nothing is found', async (world) => {
    await world.alice.posts.create({ title: 'Wombat', body: 'B' })
    assert.match(
      await pageOf(world, '/search?q=wmobat'),
      /Nothing has “wmobat”.*<a href="\/search\?q=wombat">wombat<\/a>/s,
    )
    assert.match(await pageOf(world, '/search?q=xyzzy'), /Try fewer words/)
  })

  it('is reached from every page by a form, and by a link', async (world) => {
    const page = await pageOf(world, '/community/bugs')
    assert.match(
      page,
      /<form class="find" method="get" action="\/search" role="search" aria-label="Search everything">/,
    )
    assert.match(page, /href="\/search" aria-label="Search"/)
  })
})
