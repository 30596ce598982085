// What other sites and search engines show of pages here: pictures, cards, canonical addresses; and who runs the server.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { siteWords } from '../site/src/lib/language/catalogue.ts'
import { operatorTexts } from '../site/src/lib/server/operator.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { known } from './teams.ts'
import { siteAt } from './with-site.ts'

const BASE_URL = 'http://localhost:3206'
const withSite = siteAt(BASE_URL)

describe('pictures of things', () => {
  before(() => buildSite(() => {}))

  it(
    'are named by each page, drawn as PNG and as an SVG card, and are of what everybody sees alone',
    withSite(async (world, get) => {
      const { alice, moderator } = world
      await known(world, alice, 'alice')
      const title = 'Me & <you> "x"'
      const bug = await alice.bugs.create({ title, description: 'It **breaks** on start', severity: 'low' })
      const post = await alice.posts.create({ title, body: 'B' })
      const feature = await alice.features.create({ title, description: 'D' })
      const orgJson = JSON.stringify({
        name: 'Desk',
        roles: [
          { id: 'lead', title: 'Lead <b>' },
          { id: 'two', title: 'Two', reports_to: 'lead' },
        ],
      })
      const org = await alice.orgs.create({ orgJson })
      await alice.teams.create({ slug: 'night-shift', name: 'Night shift' })
      await moderator.bugs.vote({ id: bug.id, value: 1 })
      const pages: [page: string, share: string, says: RegExp][] = [
        [`/community/bugs/${bug.id}`, `/share/bug/${bug.id}`, /Bug #1<.*Me &amp; &lt;you&gt;.*by alice · .* · 1 vote</],
        [`/community/posts/${post.id}`, `/share/post/${post.id}`, /Me &amp; &lt;you&gt;/],
        [`/community/features/${feature.id}`, `/share/feature/${feature.id}`, /Me &amp; &lt;you&gt;/],
        [`/community/orgs/${org.slug}`, `/share/org/${org.slug}`, /Org with 2 roles.*<rect x=.*Lead &lt;b&gt;/],
        ['/community/u/alice', '/share/person/alice', /Member<.*@alice/],
        ['/teams/night-shift', '/share/team/night-shift', /Night shift.*1 member · 0 items/],
        ['/blog/what-guildhall-is', '/share/blog/what-guildhall-is', /Blog</],
      ]
      for (const [page, share, says] of pages) {
        const html = await (await get(page)).text()
        assert.ok(html.includes(`<meta property="og:image" content="${BASE_URL}${share}/picture.png"`), page)
        assert.match(html, /<meta name="twitter:card" content="summary_large_image"/)
        const card = await get(`${share}/card.svg`)
        assert.equal(card.headers.get('content-type'), 'image/svg+xml')
        assert.equal(card.headers.get('cross-origin-resource-policy'), 'cross-origin')
        assert.match(card.headers.get('content-security-policy')!, /default-src 'none'; sandbox/)
        const svg = await card.text()
        assert.match(svg, says)
        assert.doesNotMatch(svg, /<(script|image|foreignObject|b>)/)
        const again = await get(`${share}/card.svg`, { 'If-None-Match': card.headers.get('etag')! })
        assert.equal(again.status, 304)
      }
      const picture = await get(`/share/org/${org.slug}/picture.png`)
      assert.equal(picture.headers.get('content-type'), 'image/png')
      const bytes = Buffer.from(await picture.arrayBuffer())
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630])
      await alice.bugs.delete({ id: bug.id })
      for (const path of [
        `/share/bug/${bug.id}`,
        '/share/item/x',
        '/share/person/nobody',
        '/share/team/none',
        '/share/toString/x',
      ])
        for (const one of ['card.svg', 'picture.png']) assert.equal((await get(`${path}/${one}`)).status, 404, path)
    }),
  )

  it(
    'are that of the site on other pages, whose canonical address has the number of the page',
    withSite(async (_, get) => {
      const canonical = async (path: string) =>
        (await (await get(path)).text()).match(/<link rel="canonical" href="([^"]*)"/)?.[1]?.slice(BASE_URL.length)
      for (const [path, expected] of [
        ['/community/bugs', '/community/bugs'],
        ['/community/bugs?page=0&sort=popular', '/community/bugs'],
        ['/community/bugs?page=2&sort=popular', '/community/bugs?page=2'],
        ['/library?page=1', '/library'],
        ['/library?page=2', '/library?page=2'],
        ['/community/bugs?page=x"', '/community/bugs'],
      ] as const)
        assert.equal(await canonical(path), expected, path)
      const page = await (await get('/community/bugs')).text()
      assert.match(page, /<meta property="og:image" content="[^"]*\/card\.png"/)
      assert.match(page, /"@type":"CollectionPage"/)
      const icon = await get('/favicon.ico')
      assert.deepEqual([icon.status, Buffer.from(await icon.arrayBuffer()).readUInt16LE(4)], [200, 3])
    }),
  )
})

describe('the privacy policy and the terms', () => {
  before(() => buildSite(() => {}))

  it(
    'are complete without settings, and have nothing for the operator to do',
    withSite(async (_, get) => {
      for (const path of ['/privacy', '/terms']) {
        const text = await (await get(path)).text()
        assert.match(text, /The operator of localhost:3206/)
        assert.doesNotMatch(text, /\{operator|To the operator|undefined/)
      }
    }),
  )

  it('name the operator as it is set, as text', () => {
    const texts = operatorTexts(
      {
        name: 'Ann *& Co* <b>',
        address: 'Street 1,\nTown',
        contact: 'mailto:ann@guild.example',
        law: 'the law of Utopia',
      },
      'guild.example',
      siteWords,
    )
    assert.equal(
      texts['operator_imprint'],
      'Ann \\*\\& Co\\* \\<b\\>, Street 1, Town, [ann@guild.example](<mailto:ann@guild.example>)',
    )
    assert.equal(texts['operator_law'], 'The law that applies is the law of Utopia.')
  })
})
