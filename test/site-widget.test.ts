// The page and the script of the widget: who may frame what, without whose cookies, in which colours and language; and its size.
import assert from 'node:assert/strict'
import { LISTED, OTHER_SITE, SITE } from './widget.ts'
import { onEveryEngine, type Person } from './world.ts'

const MOST_BYTES = 15 * 1024
const FRAME = `/widget?host=${encodeURIComponent(SITE)}`

const framingOf = async (person: Person, path: string) => {
  const { status, headers } = await person.request(path, { redirect: 'manual' })
  const [, ancestors] = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? []
  return { status, ancestors, options: headers.get('x-frame-options') }
}

onEveryEngine(
  'the page of the widget',
  (it) => {
    it('may be framed by the listed sites, and no other page by anyone', async ({ anonymous, alice }) => {
      const framed = { status: 200, ancestors: `${SITE} ${OTHER_SITE}`, options: null }
      // The second answer may come from a cache.
      for (const path of [FRAME, FRAME, '/widget', '/widget?host=https%3A%2F%2Funlisted.example'])
        assert.deepEqual(await framingOf(anonymous, path), framed, path)
      assert.deepEqual(await framingOf(alice, FRAME), framed)
      const pages = ['/', '/community/bugs', '/sign-in', '/settings', '/widgets', '/widget/x', '/nothing', '/%77idget']
      for (const path of pages) {
        const { ancestors, options } = await framingOf(alice, path)
        assert.deepEqual([ancestors, options], ["'none'", 'DENY'], path)
      }
    })

    it('knows nothing of the session of its reader', async ({ admin, anonymous }) => {
      const { username } = await admin.account()
      const page = await (await admin.request(FRAME)).text()
      const plain = (text: string) => text.replace(/nonce="[^"]*"/g, '')
      assert.equal(plain(page), plain(await (await anonymous.request(FRAME)).text()))
      assert.ok(!page.includes(String(username)))
      const response = await admin.request(FRAME)
      assert.equal(response.headers.get('set-cookie'), null)
    })

    it('talks to the site of its address where that is listed, and to none otherwise', async ({ anonymous }) => {
      const hostIn = async (path: string) =>
        /data-host="([^"]*)"/.exec(await (await anonymous.request(path)).text())?.[1]
      assert.equal(await hostIn(FRAME), SITE)
      for (const host of ['https://unlisted.example', `${SITE}.evil.example`, `${SITE}/`, '*', 'null', ''])
        assert.equal(await hostIn(`/widget?host=${encodeURIComponent(host)}`), '', host)
    })

    it('has the language, the theme and the colours of the host, as far as they are colours', async ({ anonymous }) => {
      const read = async (query: string) => (await anonymous.request(`/widget?${query}`)).text()
      assert.match(await read('lang=de'), /<html lang="de"[\s\S]*Bug melden/)
      assert.match(await read('lang=en'), /<html lang="en"[\s\S]*Report a bug/)
      assert.match(await read('theme=dark'), /data-theme="dark"/)
      assert.match(await read('theme=x'), /data-theme="system"/)
      assert.match(await read('accent=%232b6cb0'), /--brand:#2b6cb0/)
      for (const accent of ['red', '%232b6cb', '%232b6cb0;}body{display:none'])
        assert.doesNotMatch(await read(`accent=${accent}`), /--brand:/)
    })

    it('has what is on, and opens at what is asked for', async ({ admin, anonymous }) => {
      const shown = async (query: string) => {
        const text = await (await anonymous.request(`/widget?${query}`)).text()
        return [...text.matchAll(/data-section="(\w+)"([^>]*)>/g)].map(([, name, rest]) => [
          name,
          /\bhidden/.test(rest!),
        ])
      }
      const [bug, ideas, news] = ['bug', 'ideas', 'news']
      assert.deepEqual(await shown(''), [
        [bug, false],
        [ideas, true],
        [news, true],
      ])
      assert.deepEqual(await shown('open=ideas'), [
        [bug, true],
        [ideas, false],
        [news, true],
      ])
      await admin.settings.change({ changes: { PARTS_OFF: 'bugs' } })
      assert.deepEqual(await shown(''), [
        [ideas, false],
        [news, true],
      ])
    })

    it('shows the form alone on a private instance', async (world) => {
      const { anonymous, alice, admin } = world
      await alice.features.create({ title: 'Zwielichtuhr', description: 'Please' })
      await admin.settings.change({ changes: { READERS: 'members' } })
      const response = await anonymous.request(FRAME)
      assert.equal(response.status, 200)
      const text = await response.text()
      assert.doesNotMatch(text, /Zwielichtuhr/)
      assert.match(text, /data-form="bug"/)
      assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/app\.example/)
    })
  },
  LISTED,
)

onEveryEngine(
  'the script of the widget',
  (it) => {
    it('has at most 15 KB as it is sent, is for every site, and has nothing of this one', async ({
      anonymous,
      admin,
    }) => {
      const response = await anonymous.request('/widget.js')
      const text = await response.text()
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.ok(Buffer.byteLength(text) <= MOST_BYTES, `${Buffer.byteLength(text)} bytes`)
      assert.equal(await (await admin.request('/widget.js')).text(), text)
      assert.doesNotMatch(text, /localhost|app\.example/)
    })
  },
  LISTED,
)

onEveryEngine('without a listed site', (it) => {
  it('there is neither the page nor the script, until an admin lists one', async ({ anonymous, admin }) => {
    for (const path of [FRAME, '/widget.js']) {
      assert.deepEqual(await framingOf(anonymous, path), { status: 404, ancestors: "'none'", options: 'DENY' }, path)
    }
    await admin.settings.change({ changes: { WIDGET_SITES: SITE } })
    assert.equal((await framingOf(anonymous, FRAME)).ancestors, SITE)
    await admin.settings.change({ changes: { WIDGET_SITES: '' } })
    assert.equal((await framingOf(anonymous, FRAME)).status, 404)
  })

  it('a list takes origins of https alone, 20 at most', async ({ admin }) => {
    const set = (value: string) => admin.settings.change({ changes: { WIDGET_SITES: value } })
    const many = (count: number) => Array.from({ length: count }, (_, at) => `https://s${at}.example`).join(',')
    const wrong = [
      'http://app.example',
      `${SITE}/path`,
      '*',
      "'self'",
      'https://*.example',
      'http://[::1]:5173',
      'https://[2001:db8::1]',
      'https://a.example; script-src *',
    ]
    for (const value of [...wrong, many(21)]) await assert.rejects(set(value), { status: 400 }, value)
    await set(many(20))
    await set('http://localhost:5173, https://app.example/')
  })
})
