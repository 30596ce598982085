// A server in colours, with a logo, texts, links and pages of its own, all by settings.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { paletteOf, unreadable } from '../src/config/colors.ts'
import { readConfig } from '../src/config/config.ts'
import { MAX_LOGO_BYTES, parseLogo } from '../src/config/logo.ts'
import { onEveryEngine, type Person } from './world.ts'

const dataUrl = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`
const drawing = (more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${more}<path d="M0 0h8"/></svg>`
const HOSTILE = '</title><script>alert(1)</script><img src=x onerror=alert(1)>'

const settings = {
  SITE_NAME: 'Acme Lab',
  SHORT_NAME: 'Acme',
  ACCENT: '#2b6cb0',
  NEUTRAL: '#64748b',
  LOGO: dataUrl(drawing('<script>alert(1)</script>')),
  LOGO_DARK: dataUrl(drawing('<circle r="2"/>')),
  DISPLAY_FONT: 'space-grotesk',
  HOME_TEXTS: JSON.stringify({
    title: { en: "Acme's {lab}", de: 'Das Labor' },
    text: HOSTILE,
    tagline: 'Acme & friends',
  }),
  FOOTER_LINKS: JSON.stringify([{ label: { en: 'Imprint', de: 'Impressum' }, url: '/pages/imprint' }]),
  OWN_PAGES: JSON.stringify([
    { slug: 'imprint', title: { en: 'Imprint', de: 'Impressum' }, body: `**Acme** Ltd.\n\n${HOSTILE}` },
  ]),
  NAVIGATION: JSON.stringify({
    first: ['/community/features'],
    hidden: ['/blog'],
    links: [{ label: 'Shop', url: 'https://shop.example/' }],
  }),
  PART_WORDS: JSON.stringify({ feature: { one: 'Idea', many: { en: 'Ideas', de: 'Ideen' } } }),
}

const read = async (person: Person, path: string, language = 'en') =>
  (await person.request(path, { headers: { 'Accept-Language': language } })).text()

onEveryEngine(
  'a server of its own looks',
  (it) => {
    it('has its colours, its logo and its font on every page', async ({ anonymous }) => {
      const page = await read(anonymous, '/')
      const light = paletteOf({ accent: '#2b6cb0', neutral: '#64748b' }, 'light')
      assert.ok(page.includes(`:root{--brand:#2b6cb0;--canvas:light-dark(${light.canvas},`))
      assert.ok(page.includes('--font-display:var(--font-space-grotesk)'))
      assert.ok(
        page.includes(`<meta name="theme-color" content="${light.canvas}" media="(prefers-color-scheme: light)">`),
      )
      const [, icon] = /<link rel="icon" href="([^"]+)" type="image\/svg\+xml">/.exec(page) ?? []
      const logos = [...page.matchAll(/<img class="logo[^"]*" src="([^"]+)"/g)].map(([, src = '']) => src)
      assert.equal(logos.length, 2)
      for (const path of [icon ?? '', ...logos]) {
        const response = await anonymous.request(path)
        assert.equal(response.headers.get('content-type'), 'image/svg+xml')
        assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none';.* sandbox$/)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        assert.doesNotMatch(await response.text(), /script/)
      }
      assert.equal((await anonymous.request('/looks/nothing')).status, 404)
      assert.doesNotMatch(page, /class="mark"/)
    })

    it('has its texts, links and order, in the language of the reader', async ({ anonymous }) => {
      const [english, german] = [await read(anonymous, '/'), await read(anonymous, '/', 'de')]
      assert.match(english, /<h1[^>]*>Acme's \{lab\}<\/h1>/)
      assert.match(german, /<h1[^>]*>Das Labor<\/h1>/)
      for (const page of [english, german]) {
        assert.ok(!page.includes('<script>alert') && page.includes('&lt;script>alert'))
        assert.match(page, /Acme &amp; friends/)
        assert.match(page, /<a href="https:\/\/shop\.example\/">Shop<\/a>/)
        const navigation = page.slice(page.indexOf('<nav class="sections"'), page.indexOf('</nav>'))
        assert.doesNotMatch(navigation, /href="\/blog"/)
        assert.equal(/href="([^"]+)"/.exec(navigation)?.[1], '/community/features')
      }
      assert.match(english, /<a href="\/pages\/imprint">Imprint<\/a>/)
      assert.match(german, /<a href="\/pages\/imprint">Impressum<\/a>/)
      assert.match(english, /Powered by Guildhall/)
    })

    it('has its name, its colour and its logo in pictures that other sites show', async ({ alice, anonymous }) => {
      const { id } = await alice.posts.create({ title: 'Hello', body: 'World' })
      const card = await read(anonymous, `/share/post/${id}/card.svg`)
      assert.ok(card.includes(paletteOf({ accent: '#2b6cb0' }, 'light').accent))
      assert.match(card, /<image [^>]*href="data:image\/svg\+xml;base64,[^"]+"\/><text [^>]*>Acme Lab<\/text>/)
      const picture = await anonymous.request(`/share/post/${id}/picture.png`)
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
    })

    it('has words of its own for a part', async ({ anonymous }) => {
      assert.match(await read(anonymous, '/community/features'), /<h1[^>]*>Ideas<\/h1>/)
      assert.match(await read(anonymous, '/community/features', 'de'), /<h1[^>]*>Ideen<\/h1>/)
      assert.match(await read(anonymous, '/community/features.atom'), /<title>Acme Lab: Ideas<\/title>/)
      assert.match(await read(anonymous, '/calendar/releases.ics'), /^NAME:Acme Lab: /m)
    })

    it('has pages of its own, which can do no more than texts of members', async ({ anonymous }) => {
      const page = await read(anonymous, '/pages/imprint')
      assert.match(page, /<title>Imprint · Acme Lab<\/title>/)
      assert.match(page, /<strong>Acme<\/strong> Ltd\./)
      assert.doesNotMatch(page, /<script>alert|<img src=x/)
      assert.equal((await anonymous.request('/pages/terms')).status, 404)
      assert.match(await read(anonymous, '/sitemap.xml'), /\/pages\/imprint<\/loc>/)
    })

    it('tells browsers how to install it and how to search it', async ({ anonymous, dependencies }) => {
      const response = await anonymous.request('/manifest.webmanifest')
      assert.equal(response.headers.get('content-type'), 'application/manifest+json')
      const manifest = (await response.json()) as { name: string; short_name: string; icons: { src: string }[] }
      assert.deepEqual([manifest.name, manifest.short_name], ['Acme Lab', 'Acme'])
      for (const { src } of manifest.icons) assert.equal((await anonymous.request(src)).status, 200)
      const search = await read(anonymous, '/opensearch.xml')
      assert.match(search, /<ShortName>Acme<\/ShortName>\n<Description>Search Acme Lab<\/Description>/)
      const template = /type="text\/html" method="get" template="([^"]+)"/.exec(search)?.[1] ?? ''
      assert.equal(template, `${dependencies.config.baseUrl}/search?q={searchTerms}`)
    })
  },
  settings,
)

onEveryEngine(
  'a server that says nothing of its software',
  (it) => {
    it('does not say what it is powered by', async ({ anonymous }) => {
      assert.doesNotMatch(await read(anonymous, '/'), /\bGuildhall\b/)
    })
  },
  { SITE_NAME: 'Acme Lab', POWERED_BY: 'off' },
)

plainIt('Colours of which pages cannot be read are refused, and all others can be read', () => {
  assert.throws(
    () => readConfig({ NEUTRAL: '#ff00ff' }),
    /ACCENT and NEUTRAL cannot be read: quiet text on .* 4\.4\d:1 in the light theme/,
  )
  assert.throws(() => readConfig({ ACCENT: 'blue' }), /a colour such as/)
  for (const color of ['#000000', '#ffffff', '#ffff00', '#00ff00', '#0000ff', '#ff0000'])
    assert.equal(unreadable({ accent: color, neutral: color }), undefined, color)
})

plainIt('A logo is shapes and their colours, of a limited size', () => {
  const kept = (text: string) => parseLogo(dataUrl(text))?.bytes.toString()
  const hostile = [
    ...['<script>alert(1)</script>', '<image href="https://evil.example/x"/>', '<use href="https://evil.example/#a"/>'],
    ...['<a href="javascript:alert(1)"><rect/></a>', '<foreignObject><b>x</b></foreignObject>'],
    ...['<rect onload="alert(1)" fill="url(https://evil.example)"/>', '<rect style="fill:url(https://evil.example)"/>'],
    '<animate attributeName="href" to="javascript:alert(1)"/>',
  ]
  for (const one of hostile)
    assert.doesNotMatch(kept(drawing(one)) ?? 'refused', /script|evil|alert|foreign|animate/, one)
  const gradient =
    '<defs><linearGradient id="a"><stop stop-color="red"></stop></linearGradient></defs><rect fill="url(#a)"></rect>'
  assert.ok(kept(drawing(gradient))?.includes(gradient))
  for (const refused of ['<svg></svg>', '<p>no</p>', drawing('<style>a{}</style>'), `${drawing()}${drawing()}`, 'text'])
    assert.equal(kept(refused), undefined, refused)
  const padded = (bytes: number) => {
    const rest = drawing(`<desc></desc>`)
    return rest.replace('<desc>', `<desc>${'x'.repeat(bytes - rest.length)}`)
  }
  assert.ok(kept(padded(MAX_LOGO_BYTES)))
  assert.equal(kept(padded(MAX_LOGO_BYTES + 1)), undefined)
  assert.equal(parseLogo('data:image/png;base64,AAAA'), undefined)
  assert.equal(parseLogo('https://evil.example/logo.svg'), undefined)
})

plainIt('Links and pages of an operator are of their form', () => {
  const link = (url: string) => ({ FOOTER_LINKS: JSON.stringify([{ label: 'A', url }]) })
  for (const url of ['/terms', 'https://example.com/a', 'mailto:a@example.com']) readConfig(link(url))
  for (const url of [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'http://example.com',
    'https://a:b@example.com/',
  ])
    assert.throws(() => readConfig(link(url)), /FOOTER_LINKS/, url)
  const pages = (count: number, slug = (n: number) => `page-${n}`) => ({
    OWN_PAGES: JSON.stringify(Array.from({ length: count }, (_, n) => ({ slug: slug(n), title: 'A', body: 'B' }))),
  })
  assert.equal(readConfig(pages(20)).ownPages.length, 20)
  assert.throws(() => readConfig(pages(21)), /OWN_PAGES/)
  assert.throws(() => readConfig(pages(2, () => 'same')), /OWN_PAGES/)
  assert.throws(() => readConfig(pages(1, () => '../up')), /OWN_PAGES/)
})
