// What the site has for feed readers, search engines and readers of the docs: well-formed, true, and of this instance.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { docs, handbook } from '../site/src/lib/documents.ts'
import { api, areas } from '../src/api.ts'
import { createApp } from '../src/app.ts'
import { describeProblems } from '../src/surfaces/reference/problems.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { siteOnce } from '../src/surfaces/site/open.ts'
import { automationFile, orgFile, workflowFile } from './library.ts'
import { known } from './teams.ts'
import { siteAt } from './with-site.ts'

/** An origin of its own, because a sitemap is remembered for its origin. */
const BASE_URL = 'http://localhost:3204'
const HOSTILE = { title: 'Me & <you> "]]>" \u0001', body: 'Who\u000b is here? & <b>' }

const withSite = siteAt(BASE_URL)

const all = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, inner]) => inner!)

/** The elements of a document closed in order, and nothing in it that XML 1.0 does not allow. */
function assertWellFormed(text: string): void {
  assert.match(text, /^<\?xml version="1.0" encoding="utf-8"\?>\n<\w/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(text, /[\0-\x08\x0b\x0c\x0e-\x1f]|&(?!(amp|lt|gt|quot|apos);)/)
  const open: string[] = []
  for (const [, end, name, empty] of text.replace(/^<\?.*\?>/, '').matchAll(/<(\/?)(\w+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end) assert.equal(open.pop(), name)
    else if (!empty) open.push(name!)
  }
  assert.deepEqual(open, [])
}

describe('the documents of the site', () => {
  before(() => buildSite(() => {}))

  it(
    'has the feed as Atom, for any text of users',
    withSite(async ({ alice }, get) => {
      const { id } = await alice.posts.create(HOSTILE)
      const answer = await get('/feed.atom')
      assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
      const text = await answer.text()
      assertWellFormed(text)
      assert.ok(all(text, 'id').includes(`${BASE_URL}/community/posts/${id}`))
      assert.ok(all(text, 'title').some((title) => title.startsWith('Post: Me &amp; &lt;you&gt; &quot;]]&gt;&quot;')))
      for (const at of all(text, 'updated')) assert.ok(Date.parse(at) > 0, at)
      assert.equal(all(text, 'name').length, all(text, 'published').length)
    }),
  )

  it(
    'answers feed readers so for every list, tag, person, thread and search',
    withSite(async ({ alice, admin }, get) => {
      const { username } = await alice.profile.setUsername({ username: 'alice-atom' })
      const bug = await alice.bugs.create({ title: 'Slow', description: 'It is', severity: 'low' })
      const { id: labelId } = await admin.labels.create({ name: 'clock', color: '#336699' })
      await admin.bugs.attachLabel({ id: bug.id, labelId })
      const feature = await alice.features.create({ title: 'Dark', description: 'mode' })
      const post = await alice.posts.create({ title: 'Hello', body: 'World' })
      await admin.posts.attachLabel({ id: post.id, labelId })
      await alice.posts.create({ title: 'Unlabelled', body: 'World' })
      const release = await admin.changelog.create({ title: 'Out', body: 'It is' })
      const org = await alice.orgs.create({ orgJson: await orgFile({ name: 'Desk' }).text() })
      const item = await alice.library.publish({
        kind: 'workflow',
        visibility: 'public',
        tags: 'daily',
        file: workflowFile(),
      })
      const threads = [
        ...[`bugs/${bug.id}`, `features/${feature.id}`, `posts/${post.id}`, `changelog/${release.id}`],
        ...[`orgs/${org.slug}`, `u/${username}`],
      ]
      const lists = ['bugs', 'features', 'posts', 'changelog', 'orgs', 'roadmap']
      const paths = [
        ...[...lists, ...threads].map((path) => `/community/${path}.atom`),
        ...[
          '/community/bugs.atom?label=clock',
          '/community/posts.atom?label=clock',
          `/library/workflows/${item.slug}.atom`,
          '/search.atom?q=slow',
        ],
        ...['/library.atom', '/library.atom?tag=daily', '/library/workflows.atom', '/feed.atom', '/blog.atom'],
      ]
      for (const path of paths) {
        const answer = await get(path)
        assert.equal(answer.status, 200, path)
        assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8', path)
        assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
        const etag = answer.headers.get('etag')
        assert.match(etag!, /^"[\w-]{20,}"$/, path)
        const unchanged = await get(path, { 'If-None-Match': etag! })
        assert.deepEqual([unchanged.status, await unchanged.text()], [304, ''], path)
      }
      assert.match(await (await get('/community/bugs.atom?label=clock')).text(), /Slow/)
      const posts = await (await get('/community/posts.atom?label=clock')).text()
      assert.ok(posts.includes('Hello') && !posts.includes('Unlabelled'))
    }),
  )

  it(
    'lets feed readers ask whether a feed changed, and pages of other origins read it',
    withSite(async ({ alice }, get) => {
      await alice.posts.create({ title: 'Hello', body: 'Who is here?' })
      for (const path of ['/feed.atom', '/blog.atom']) {
        const { headers } = await get(path)
        assert.equal(headers.get('access-control-allow-origin'), '*', path)
        const etag = headers.get('etag')!
        assert.match(etag, /^"[\w-]{20,}"$/, path)
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const unchanged = await get(path, { 'If-None-Match': known })
          assert.equal(unchanged.status, 304, `${path} ${known}`)
          assert.equal(unchanged.headers.get('etag'), etag)
          assert.equal(unchanged.headers.get('access-control-allow-origin'), '*')
          assert.equal(await unchanged.text(), '')
        }
        assert.equal((await get(path, { 'If-None-Match': '"other"' })).status, 200)
      }
      const { headers } = await get('/feed.atom', {}, 'HEAD')
      assert.deepEqual([headers.get('etag'), headers.get('access-control-allow-origin')], [null, '*'])
      const before = (await get('/feed.atom')).headers.get('etag')
      await alice.posts.create({ title: 'Again', body: 'Still here?' })
      assert.notEqual((await get('/feed.atom')).headers.get('etag'), before)
    }),
  )

  it(
    'has every list, thread and person as Atom, with the filters of the page',
    withSite(async ({ alice }, get) => {
      const bug = await alice.bugs.create({ title: 'Slow start', description: 'It is slow', severity: 'low' })
      await alice.bugs.create({ title: 'Wrong total', description: 'It is wrong', severity: 'high' })
      const { id } = await alice.bugs.comment({ id: bug.id, body: `Me too ${HOSTILE.title}` })
      const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'one' }] }) })
      await alice.orgs.comment({ id: org.id, body: 'A fine desk' })
      const file = new File(['{"name": "Digest", "nodes": []}'], 'digest.json')
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file })
      const hidden = await alice.library.publish({ kind: 'workflow', name: 'Secret', file })
      const { username } = await alice.profile.setUsername({ username: 'alice' })
      const [bugPath, orgPath] = [`/community/bugs/${bug.id}`, `/community/orgs/${org.slug}`]
      const idsAt = async (path: string) => {
        const answer = await get(path)
        assert.equal(answer.status, 200, path)
        const text = await answer.text()
        assertWellFormed(text)
        assert.ok(
          text.includes(`rel="self" type="application/atom+xml" href="${BASE_URL}${path.replaceAll('&', '&amp;')}"`),
        )
        return all(text, 'id').slice(1)
      }
      assert.equal((await idsAt('/community/bugs.atom')).length, 2)
      assert.deepEqual(await idsAt('/community/bugs.atom?severity=low&q=slow'), [`${BASE_URL}${bugPath}`])
      assert.deepEqual(await idsAt('/community/features.atom'), [])
      assert.deepEqual(await idsAt(`${bugPath}.atom`), [`${BASE_URL}${bugPath}`, `${BASE_URL}${bugPath}#comment-${id}`])
      assert.deepEqual(await idsAt('/community/orgs.atom'), [`${BASE_URL}${orgPath}`])
      assert.equal((await idsAt(`${orgPath}.atom`)).length, 2)
      assert.equal((await idsAt(`/community/u/${username}.atom`)).length, 4)
      const path = new URL(item.url).pathname
      assert.deepEqual(await idsAt('/library/workflows.atom?q=digest'), [item.url])
      assert.ok((await idsAt('/library.atom')).includes(item.url))
      assert.deepEqual(await idsAt(`${path}.atom`), [`${item.url}#v${item.version}`])
      assert.deepEqual(await idsAt('/search.atom?q=slow'), [`${BASE_URL}${bugPath}`])
      assert.deepEqual(await idsAt('/search.atom?q=it+is&type=bug'), await idsAt('/community/bugs.atom'))
      assert.deepEqual(await idsAt('/search.atom?q=secret'), [])
      assert.deepEqual(await idsAt('/search.atom'), [])
      for (const missing of [
        ...['/community/bugs/unknown.atom', '/community/nothing.atom', '/community/u/nobody.atom'],
        `${new URL(hidden.url).pathname}.atom`,
      ]) {
        assert.equal((await get(missing)).status, 404, missing)
      }
      for (const page of [
        '/community/bugs?severity=low',
        '/search?q=slow',
        bugPath,
        orgPath,
        `/community/u/${username}`,
        '/library',
        path,
      ]) {
        const named = /<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/.exec(
          await (await get(page)).text(),
        )
        assert.equal((await get(named![1]!.replaceAll('&amp;', '&'))).status, 200, page)
      }
      assert.equal((await get(`/community/orgs/${org.id}.atom`)).headers.get('location'), `${orgPath}.atom`)
    }),
  )

  it(
    'has the blog as Atom',
    withSite(async (_, get) => {
      const text = await (await get('/blog.atom')).text()
      assertWellFormed(text)
      assert.ok(all(text, 'id').includes(`${BASE_URL}/blog/what-guildhall-is`))
      assert.equal(all(text, 'updated')[0], all(text, 'updated').sort().at(-1))
    }),
  )

  it(
    'names in the sitemap what is public, once, and in robots.txt the sitemap',
    withSite(async (world, get) => {
      const { alice } = world
      const bug = await alice.bugs.create({ title: 'A', description: 'B', severity: 'low' })
      const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'one' }] }) })
      const file = new File(['{"name": "Digest", "nodes": []}'], 'digest.json')
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file })
      const hidden = await alice.library.publish({ kind: 'workflow', name: 'Secret', file })
      await known(world, alice, 'alice')
      const team = await alice.teams.create({ slug: 'night-shift', name: 'Night shift' })
      const answer = await get('/sitemap.xml')
      assert.match(answer.headers.get('content-type')!, /^application\/xml/)
      const text = await answer.text()
      assertWellFormed(text)
      const named = all(text, 'loc')
      assert.equal(new Set(named).size, named.length)
      for (const path of [
        '/',
        '/docs',
        '/docs/reference/bugs',
        `/community/bugs/${bug.id}`,
        `/community/orgs/${org.slug}`,
        '/blog/what-guildhall-is',
      ]) {
        assert.ok(named.includes(`${BASE_URL}${path}`), path)
      }
      assert.ok(named.includes(item.url))
      assert.ok(named.includes(team.url))
      assert.ok(!named.includes(hidden.url))
      assert.ok(!named.some((address) => address.includes('/library/orgs/')))
      const robots = await (await get('/robots.txt')).text()
      assert.match(robots, /^User-agent: \*\nDisallow: \/settings\n/)
      assert.ok(robots.endsWith(`\nSitemap: ${BASE_URL}/sitemap.xml\n`))
    }),
  )

  it(
    'has docs that name only addresses of this instance, and such as answer, with the script of all pages',
    withSite(async (_, get) => {
      const pages = [
        ...new Set([...docs, ...handbook].map(({ href }) => href)),
        ...describeProblems(api, areas).map(({ code }) => `/docs/errors/${code}`),
        // This server has no machine to ask.
        ...Object.keys(api).flatMap((part) => (part === 'assistant' ? [] : [`/docs/reference/${part}`])),
        '/privacy',
        '/terms',
      ]
      /** Pages that the docs send people to. */
      const named = new Set(pages)
      for (const path of pages) {
        const answer = await get(path)
        assert.equal(answer.status, 200, path)
        const text = await answer.text()
        assert.doesNotMatch(text, /\{base_url\}/, path)
        assert.match(text, /<script type="module" nonce="[^"]+" src="\/_app\/immutable\/workers\/enhance-/, path)
        assert.doesNotMatch(text, /<\/code><\/pre>(?!<button [^>]*data-copy)/, path)
        const [, main] = text.match(/<main[^>]*>([\s\S]*)<\/main>/)!
        for (const [, link] of main!.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) named.add(link!)
        // The examples of the reference name things that are not there; test/reference.test.ts sends them.
        if (path.startsWith('/docs/reference/')) continue
        const own = [...main!.matchAll(/http:\/\/localhost:3204(\/api\/(?:auth|mcp|community|library)[^\s"'`<?]*)/g)]
        for (const [, address] of own) named.add(address!.replace(/[.,:]$/, ''))
      }
      named.delete('/settings')
      // An issuer is a name, and the item is that of an example.
      for (const name of ['/api/auth', '/api/library/items/workflow/morning-digest']) named.delete(name)
      // A redirect, a refusal and a wrong method are answers, too: what is not there is 404.
      for (const path of [...named].filter((path) => !/\/none$/.test(path)))
        assert.notEqual((await get(path)).status, 404, path)
    }),
  )

  it(
    'shows the pieces to developers alone',
    withSite(async ({ dependencies }, get) => {
      assert.equal((await get('/dev/ui')).status, 200)
      const config = { ...dependencies.config, development: false }
      const app = createApp({ ...dependencies, config }, { site: { open: siteOnce() } })
      assert.equal((await app.fetch(new Request(`${BASE_URL}/dev/ui`))).status, 404)
    }),
  )
})

describe('pictures of items', () => {
  before(() => buildSite(() => {}))

  it(
    'are a badge and a picture at addresses that stay, cached, without power, and of public items alone',
    withSite(async ({ alice }, get) => {
      const name = 'Me & <you> "x"'
      const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', name, file: workflowFile() })
      const path = `/library/workflows/${item.slug}`
      const page = await (await get(path)).text()
      assert.match(page, new RegExp(`<meta property="og:image" content="${BASE_URL}${path}/picture.png"`))
      assert.match(page, /<meta name="twitter:card" content="summary_large_image"/)
      const badge = await get(`${path}/badge.svg`)
      assert.equal(badge.headers.get('content-type'), 'image/svg+xml')
      assert.match(badge.headers.get('cache-control')!, /^public, max-age=300/)
      assert.match(badge.headers.get('content-security-policy')!, /default-src 'none'; sandbox/)
      const svg = await badge.text()
      assert.ok(svg.includes('Me &amp; &lt;you&gt; &quot;x&quot;') && svg.includes('1.0.0'))
      const again = await get(`${path}/badge.svg`, { 'If-None-Match': badge.headers.get('etag')! })
      assert.equal(again.status, 304)
      const picture = await get(`${path}/picture.png`)
      assert.equal(picture.headers.get('content-type'), 'image/png')
      const bytes = Buffer.from(await picture.arrayBuffer())
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630])
      await alice.library.update({ id: item.id, visibility: 'private' })
      for (const one of ['badge.svg', 'picture.png']) assert.equal((await get(`${path}/${one}`)).status, 404)
    }),
  )

  it(
    'shows each file of an item, and leads to those that its permissions name',
    withSite(async ({ alice }, get) => {
      const path = 'scripts/go now.js'
      const permissions = { scripts: [path, 'scripts/missing.js'] }
      const file = automationFile({ permissions }, [{ name: path, data: Buffer.from('// a\u202e <b>\nlet a = 1\n') }])
      const { slug } = await alice.library.publish({ kind: 'automation', visibility: 'public', file })
      const item = `/library/automations/${slug}`
      const page = await (await get(item)).text()
      assert.ok(page.includes(`<a href="${item}/files/scripts/go%20now.js"><code>${path}</code></a>`))
      assert.ok(page.includes('<code>scripts/missing.js</code>'))
      const shown = await (await get(`${item}/files/scripts/go%20now.js`)).text()
      assert.match(shown, /a<mark>U\+202E<\/mark> &lt;b&gt;/)
      assert.match(shown, /<span id="L2"/)
      assert.equal((await get(`${item}/files/none.js`)).status, 404)
      assert.equal((await get(`${item}/files`)).status, 307)
    }),
  )
})
