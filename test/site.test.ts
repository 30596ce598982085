// The site as it is served: what its pages carry, who may send its forms, and that a kept page is never an old one.
import assert from 'node:assert/strict'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createApp } from '../src/app.ts'
import { siteOnce } from '../src/surfaces/site/open.ts'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const crash = { title: 'Crash on start', description: 'It **stops** at once.', severity: 'high' } as const
const HOSTILE = '</title></script><script>alert(1)</script><img src=x onerror=alert(1)>'

const text = async (person: Person, path: string) => (await person.request(path)).text()
const nonceOf = (response: Response) =>
  /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]

onEveryEngine('the site', (it) => {
  it('shows the content of the API, to anonymous users too', async ({ alice, anonymous }) => {
    const { id } = await alice.bugs.create(crash)
    await alice.bugs.comment({ id, body: 'Here as well.' })
    for (const path of ['/', '/community', '/community/bugs'])
      assert.match(await text(anonymous, path), /Crash on start/)
    const page = await text(anonymous, `/community/bugs/${id}`)
    assert.match(page, /<h1[^>]*>Crash on start[^#]*>#1<\/a>/)
    assert.match(page, /It <strong>stops<\/strong> at once/)
    assert.match(page, /Here as well\./)
  })

  it('shows beside a filter how many people and agents wrote', async ({ alice, anonymous }) => {
    await alice.posts.create({ title: 'A word', body: 'of welcome' })
    await alice.bugs.create(crash)
    const shown = async (path: string) =>
      [
        ...(await text(anonymous, path))
          .replaceAll(/<!--[^>]*-->/g, '')
          .matchAll(/>(People|Agents)<\/span>\s*<span[^>]*>(\d+)</g),
      ].map(([, who, count]) => `${who} ${count}`)
    for (const path of ['/community', '/community/posts'])
      assert.deepEqual(await shown(path), [], 'where no agent wrote, there is nothing to choose')
    assert.deepEqual(await shown('/community?type=bug&by=agents'), ['People 1', 'Agents 0'], 'but for what is chosen')
    assert.deepEqual(await shown('/community?by=people'), ['People 2'])
  })

  it('shows the feed of one kind, and keeps kind and order through its links', async ({ alice, anonymous }) => {
    await alice.posts.create({ title: 'A word', body: 'of welcome' })
    for (let n = 0; n < 21; n++) await alice.bugs.create({ ...crash, title: `Bug ${n}` })
    const page = await text(anonymous, '/community?type=bug&sort=popular')
    assert.equal(page.match(/>Bug \d+</g)?.length, 20)
    assert.doesNotMatch(page, /A word/)
    const links = [...page.matchAll(/href="(\/community\?[^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'))
    for (const to of [
      '/community?type=bug',
      '/community?type=post&sort=popular',
      '/community?sort=popular',
      '/community?type=bug&sort=popular&page=1',
    ]) {
      assert.ok(links.includes(to), `${to} in ${links}`)
    }
    assert.match(await text(anonymous, '/community?type=bug&sort=popular&page=1'), /Bug 0/)
    assert.match(await text(anonymous, '/community?type=org'), /No orgs yet/)
    assert.match(await text(anonymous, '/community?type=worm&page=1'), /A word/)
  })

  it('looks for the same in every list of the library', async ({ anonymous }) => {
    const page = await text(anonymous, '/library/workflows?q=mail&tag=daily&sort=popular&page=2')
    const asked = 'q=mail&amp;tag=daily&amp;sort=popular'
    for (const path of ['/library', '/library/automations', '/community/orgs'])
      assert.ok(page.includes(`href="${path}?${asked}"`), path)
  })

  it('shows visitors what trends, who is here, and numbers that are those of the lists', async ({
    alice,
    bob,
    anonymous,
  }) => {
    await alice.profile.setUsername({ username: 'alice' })
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await alice.posts.create({ title: `Post ${n}`, body: 'Words' })).id)
    await bob.posts.vote({ id: ids[1]!, value: 1 })
    const page = await text(anonymous, '/')
    const titles = [...page.matchAll(/<h3><a[^>]*>(Post \d)/g)].map(([, title]) => title)
    assert.deepEqual(titles, ['Post 1', 'Post 3', 'Post 2', 'Post 0'])
    assert.match(page, /<b class="number">1<\/b>(?:<!--.*?-->)* member\b/)
    assert.match(page, /href="\/community\/u\/alice" title="alice"><img[^>]* src="\/avatars\/a\d+\.svg"/)
    await bob.profile.setUsername({ username: 'bob' })
    assert.match(await text(anonymous, '/'), /<b class="number">2<\/b>(?:<!--.*?-->)* members/)
  })

  it('shows members what waits for them, and what is new since their last visit', async ({ alice, bob }) => {
    const cookies = (response: Response) => response.headers.getSetCookie().filter((line) => line.startsWith('visits='))
    await bob.profile.setUsername({ username: 'bob' })
    const first = await bob.request('/')
    assert.equal(cookies(first).length, 1)
    assert.doesNotMatch(await first.text(), /New since your last visit/)
    const hourAgo = Date.now() - 3_600_000
    await alice.posts.create({ title: 'Since then', body: 'Hello @bob' })
    await bob.posts.create({ title: 'My own', body: 'Words' })
    const body = JSON.stringify({ email: bob.email, password: 'bob has a password' })
    const headers = { 'Content-Type': 'application/json' }
    const signedIn = await bob.request('/api/auth/sign-in/email', { method: 'POST', headers, body })
    const session = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
    const Cookie = `${session}; visits=0.${hourAgo}`
    const page = await (await bob.request('/', { headers: { Cookie } })).text()
    const fresh = /id="fresh".*?<\/section>/s.exec(page)?.[0] ?? ''
    assert.match(fresh, /Since then/)
    assert.doesNotMatch(fresh, /My own/)
    assert.match(/id="own".*?<\/section>/s.exec(page)?.[0] ?? '', /My own/)
  })

  it('never lets a text of a user become part of a page', async ({ alice, anonymous }) => {
    const { id } = await alice.bugs.create({ ...crash, title: HOSTILE, description: HOSTILE })
    await alice.bugs.comment({ id, body: `${HOSTILE} [click](javascript:alert(1))` })
    for (const path of ['/', '/community', '/community/bugs', `/community/bugs/${id}`]) {
      const response = await anonymous.request(path)
      const nonce = nonceOf(response)
      const page = await response.text()
      for (const [tag] of page.matchAll(/<script[^>]*>/g)) {
        assert.ok(tag.includes(`nonce="${nonce}"`) || tag === '<script type="application/ld+json">', tag)
      }
      assert.doesNotMatch(page, /<img src=x/)
      assert.doesNotMatch(page, /href="javascript:/)
      for (const [, data] of page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) JSON.parse(data!)
    }
  })

  it('has a strict policy and a nonce of its own on every page', async ({ anonymous }) => {
    const seen = new Set<string>()
    for (let visit = 0; visit < 4; visit++) {
      const response = await anonymous.request('/community')
      const policy = response.headers.get('content-security-policy')!
      assert.match(policy, /default-src 'none'/)
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|https?:|\*/)
      const nonce = nonceOf(response)!
      seen.add(nonce)
      const page = await response.text()
      const length = response.headers.get('content-length')
      assert.ok(length === null || Number(length) === Buffer.byteLength(page), `Content-Length is ${length}`)
      assert.deepEqual(
        new Set([...page.matchAll(/nonce="([^"]+)"/g)].map((match) => match[1])),
        new Set([nonce]),
        'the page carries the nonce of its own policy',
      )
      for (const name of ['x-request-id', 'x-content-type-options', 'referrer-policy', 'x-frame-options']) {
        assert.ok(response.headers.get(name), name)
      }
    }
    assert.equal(seen.size, 4)
  })

  it('has the colour that its operator set, and no other way for a style to come in', async ({
    dependencies,
    changes,
  }) => {
    const config = { ...dependencies.config, accent: '#2277cc' }
    const app = createApp({ ...dependencies, config }, { site: { open: siteOnce(), changes } })
    const response = await app.fetch(new Request('http://localhost:3000/community'))
    const nonce = nonceOf(response)
    assert.ok((await response.text()).includes(`<style nonce="${nonce}">:root{--brand:#2277cc}</style>`))
    assert.match(response.headers.get('content-security-policy')!, /style-src 'self' 'nonce-/)
  })

  it('never shows an old page: what was written is on the next one', async ({ alice, anonymous }) => {
    for (let round = 0; round < 5; round++) {
      await text(anonymous, '/community')
      await alice.posts.create({ title: `Post number ${round}`, body: 'Text' })
      assert.match(await text(anonymous, '/community'), new RegExp(`Post number ${round}`))
    }
  })

  it('never shows a page of one user to another', async ({ alice, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice-in-here' })
    assert.match(await text(alice, '/community'), /alice-in-here/)
    assert.doesNotMatch(await text(anonymous, '/community'), /alice-in-here/)
    assert.match(await text(alice, '/community'), /alice-in-here/)
  })

  it('says so with the right status where there is nothing', async ({ anonymous }) => {
    for (const path of ['/nothing', '/community/bugs/nothing', '/community/posts/nothing', '/community/bugs/%00']) {
      const response = await anonymous.request(path)
      assert.equal(response.status, 404, path)
      assert.match(await response.text(), /Page not found|There is nothing here|No such (bug|post)/)
    }
  })

  it('refuses forms that another site sent, that do not say their length, or are too long', async ({ alice }) => {
    await alice.account()
    const refused = async (headers: Record<string, string>, status: number) =>
      assert.equal((await submit(alice, '/theme', { theme: 'dark' }, headers)).status, status, JSON.stringify(headers))
    await refused({ 'Sec-Fetch-Site': 'cross-site' }, 403)
    await refused({ 'Sec-Fetch-Site': 'same-site' }, 403)
    await refused({ Origin: 'https://elsewhere.example' }, 403)
    await refused({ 'Content-Length': String(64 * 1024 + 1) }, 413)
    await refused({ 'Content-Length': 'many' }, 411)
    await refused({ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost:3000' }, 303)
    await refused({ Origin: 'http://127.0.0.1:3000' }, 303)
  })

  it('takes 64 KB of a form, more where it takes files, and few parts', async ({ alice }) => {
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const send = async (path: string, type: string, body: string) => {
      const headers = { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)), Accept: 'text/html' }
      return (await alice.request(path, { method: 'POST', headers, body, redirect: 'manual' })).status
    }
    const urlencoded = 'application/x-www-form-urlencoded'
    const theme = (bytes: number) => 'theme=dark&x='.padEnd(bytes, 'x')
    assert.deepEqual(
      [await send('/theme', urlencoded, theme(65_536)), await send('/theme', urlencoded, theme(65_537))],
      [303, 413],
    )
    // A form that takes files is larger, and only if it comes as one.
    const multipart = 'multipart/form-data; boundary=b'
    const parts = (count: number, more = '') =>
      `${'--b\r\nContent-Disposition: form-data; name="theme"\r\n\r\ndark\r\n'.repeat(count)}--b--\r\n${more}`
    assert.equal(await send('/settings?/avatar', urlencoded, theme(65_537)), 413)
    assert.equal(await send(`/community/orgs/${org.slug}/edit?/delete`, multipart, parts(1, 'x'.repeat(65_536))), 413)
    assert.notEqual(await send(`/community/orgs/${org.slug}/edit?/save`, multipart, parts(1, 'x'.repeat(65_536))), 413)
    // The closing line is the 64th.
    assert.deepEqual(
      [await send('/theme', multipart, parts(63)), await send('/theme', multipart, parts(64))],
      [303, 400],
    )
    assert.equal(await send('/theme', multipart, '--b\r\nContent-Disposition: form-data\r\n\r\n'), 400)
    assert.equal((await alice.orgs.get({ id: org.id })).name, 'Desk')
  })

  it('takes votes without script, and comes back to the page', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.bugs.create(crash)
    const target = `bugs/${id}`
    const voted = await submit(bob, '/vote', { target, value: '1', back: '/community/bugs?sort=popular' })
    assert.equal(voted.status, 303)
    assert.equal(voted.headers.get('location'), '/community/bugs?sort=popular')
    const { score, myVote } = await bob.bugs.get({ id })
    assert.deepEqual({ score, myVote }, { score: 1, myVote: 1 })
    const sent = await submit(anonymous, '/vote', { target, value: '1', back: '/community' })
    assert.equal(sent.headers.get('location'), '/sign-in?to=%2Fcommunity')
    assert.equal((await submit(bob, '/vote', { target, value: '2', back: '/' })).status, 400)
    assert.equal((await submit(bob, '/vote', { target: 'bugs/nothing', value: '1', back: '/' })).status, 404)
    assert.equal((await submit(bob, '/vote', { target: '../admin/users', value: '1', back: '/' })).status, 400)
  })

  it('redirects nowhere else, regardless of the form', async ({ alice }) => {
    await alice.account()
    for (const back of [
      'https://elsewhere.example/',
      '//elsewhere.example',
      '/\\elsewhere.example',
      'javascript:alert(1)',
      '',
    ]) {
      const { status, headers } = await submit(alice, '/theme', { theme: 'dark', back })
      assert.deepEqual([status, headers.get('location')], [303, '/'], back)
    }
  })

  it('takes a bug report without script, says what is wrong beside the field, and keeps what was typed', async ({
    alice,
  }) => {
    await alice.account()
    const good = { title: 'From a form', description: 'Text', severity: 'low' }
    const made = await submit(alice, '/community/bugs/new?/create', good)
    assert.equal(made.status, 303)
    assert.match(made.headers.get('location')!, /^\/community\/bugs\/[\w-]+$/)
    const refused = await submit(alice, '/community/bugs/new?/create', { ...good, title: 'x'.repeat(101) })
    assert.equal(refused.status, 400)
    const page = await refused.text()
    assert.match(page, /aria-invalid="true"/)
    assert.match(page, /id="field-title-error"/)
    assert.ok(page.includes(`value="${'x'.repeat(101)}"`))
  })

  it('takes comments without script, and has them removed by their author or a moderator alone', async ({
    alice,
    bob,
    moderator,
  }) => {
    const { id } = await alice.bugs.create(crash)
    const path = `/community/bugs/${id}`
    const said = await submit(bob, `${path}?/comment`, { body: 'A thought' })
    const { items } = await bob.bugs.comments({ id })
    assert.deepEqual([said.status, said.headers.get('location')], [303, `${path}#comment-${items[0]!.id}`])
    assert.deepEqual(
      items.map(({ body }) => body),
      ['A thought'],
    )
    const commentId = items[0]!.id
    assert.equal((await submit(alice, `${path}?/deleteComment`, { commentId })).status, 403)
    assert.equal((await submit(moderator, `${path}?/deleteComment`, { commentId, reason: 'Off topic' })).status, 200)
    assert.equal((await bob.bugs.comments({ id })).total, 0)
  })

  it('sends anonymous users to sign in, and back to the page they wanted', async ({ anonymous }) => {
    const response = await anonymous.request('/community/bugs/new', { redirect: 'manual' })
    assert.equal(response.status, 303)
    assert.equal(response.headers.get('location'), '/sign-in?to=%2Fcommunity%2Fbugs%2Fnew')
  })

  it('compresses pages for clients that accept that, and for no others', async ({ alice, anonymous }) => {
    await alice.bugs.create(crash)
    const plain = await (await anonymous.request('/community/bugs')).text()
    assert.match(plain, /Crash on start/)
    for (const [asked, encoding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'gzip'],
      ['gzip;q=0', null],
      ['br', null],
    ] as const) {
      const response = await anonymous.request('/community/bugs', { headers: { 'Accept-Encoding': asked } })
      assert.equal(response.headers.get('content-encoding'), encoding, asked)
      assert.match(response.headers.get('vary') ?? '', /Accept-Encoding/)
      const bytes = new Uint8Array(await response.arrayBuffer())
      const unpack = { zstd: zstdDecompressSync, gzip: gunzipSync }
      const text = encoding ? unpack[encoding](bytes).toString() : new TextDecoder().decode(bytes)
      assert.match(text, /Crash on start/, asked)
      const length = response.headers.get('content-length')
      assert.ok(length === null || Number(length) === bytes.byteLength)
    }
  })
})
