// The page of looks: a preview in the new looks without script, what is refused, saving, and the way back.
import assert from 'node:assert/strict'
import { MAX_LOGO_BYTES } from '../src/config/logo.ts'
import { onEveryEngine, type Person } from './world.ts'

type LooksFields = Record<string, string | File>

/** The form as a browser without script sends it. */
async function send(person: Person, action: string, given: LooksFields): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(given)) form.append(name, value)
  const whole = new Request('http://localhost', { method: 'POST', body: form })
  const body = new Uint8Array(await whole.arrayBuffer())
  return person.request(`/admin/looks?/${action}`, {
    method: 'POST',
    headers: {
      'Content-Type': whole.headers.get('content-type') ?? '',
      'Content-Length': String(body.byteLength),
      Accept: 'text/html',
    },
    body,
    redirect: 'manual',
  })
}

const svg = (more = '') =>
  new File([`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${more}<path d="M0 0h8"/></svg>`], 'logo.svg')
const page = async (person: Person, path = '/admin/looks') => (await person.request(path)).text()
const storedOf = async ({ settings }: Person, name: string) =>
  (await settings.list()).items.find((one) => one.name === name)?.value ?? null
const unescaped = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const given: LooksFields = {
  SITE_NAME: 'Acme Lab',
  ACCENT: '#2b6cb0',
  NEUTRAL: '#64748b',
  DISPLAY_FONT: 'space-grotesk',
  'LOGO.file': svg('<script>alert(1)</script>'),
  'HOME_TEXTS.title.en': 'The lab',
  'HOME_TEXTS.text.en': 'For everyone',
  'HOME_TEXTS.text.de': 'Für alle',
  'FOOTER_LINKS.0.label.en': 'Imprint',
  'FOOTER_LINKS.0.label.de': 'Impressum',
  'FOOTER_LINKS.0.url': '/pages/imprint',
  'OWN_PAGES.0.slug': 'imprint',
  'OWN_PAGES.0.title.en': 'Imprint',
  'OWN_PAGES.0.body.en': '**Acme** <script>alert(1)</script>',
  'NAVIGATION.place./community/bugs': '1',
  'NAVIGATION.hidden./blog': 'on',
  'NAVIGATION.links.0.label.en': 'Shop',
  'NAVIGATION.links.0.url': 'https://shop.example/',
  'PART_WORDS.feature.many.en': 'Ideas',
  'PART_WORDS.feature.many.de': 'Ideen',
  POWERED_BY: 'on',
}

onEveryEngine('the page of looks', (it) => {
  it('shows itself in the new looks before anything is saved', async ({ admin, anonymous }) => {
    const { version } = await admin.settings.list()
    const response = await send(admin, 'preview', { ...given, version: String(version) })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-security-policy') ?? '', /img-src 'self' data:/)
    const html = await response.text()
    assert.match(html, /:root\{--brand:#2b6cb0;--canvas:/)
    assert.match(html, /--font-display:var\(--font-space-grotesk\)/)
    assert.match(html, /<h4>The lab<\/h4>/)
    assert.match(html, /· Acme Lab<\/title>/)
    assert.match(html, /<a href="\/pages\/imprint">Imprint<\/a>/)
    assert.match(html, /<strong>Acme<\/strong>/)
    assert.ok(!html.includes('<script>alert'))
    const [, logo = ''] = /<img class="logo" src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html) ?? []
    assert.match(Buffer.from(logo, 'base64').toString(), /<path/)
    assert.doesNotMatch(Buffer.from(logo, 'base64').toString(), /script/)
    const start = html.indexOf('<nav class="sections"')
    const navigation = html.slice(start, html.indexOf('</nav>', start))
    assert.equal(/href="([^"]+)"/.exec(navigation)?.[1], '/community/bugs')
    assert.doesNotMatch(navigation, /href="\/blog"/)
    assert.match(navigation, /href="https:\/\/shop\.example\/">Shop/)
    assert.match(html, /name="LOGO" value="data:image\/svg/)
    assert.equal((await admin.settings.list()).version, version)
    assert.doesNotMatch(await page(anonymous, '/'), /Acme/)
    assert.doesNotMatch(
      (await anonymous.request('/')).headers.get('content-security-policy') ?? '',
      /img-src[^;]* data:/,
    )
  })

  it('saves what it showed, and shows it again as it was typed', async ({ admin, anonymous }) => {
    const { version } = await admin.settings.list()
    const saved = await send(admin, 'save', { ...given, version: String(version) })
    assert.deepEqual([saved.status, saved.headers.get('location')], [303, '/admin/looks?saved'])
    assert.equal(
      await storedOf(admin, 'HOME_TEXTS'),
      '{"title":"The lab","text":{"en":"For everyone","de":"Für alle"}}',
    )
    assert.equal(await storedOf(admin, 'PART_WORDS'), '{"feature":{"many":{"en":"Ideas","de":"Ideen"}}}')
    assert.equal(
      await storedOf(admin, 'NAVIGATION'),
      '{"first":["/community/bugs"],"hidden":["/blog"],"links":[{"label":"Shop","url":"https://shop.example/"}]}',
    )
    assert.match(await page(anonymous, '/pages/imprint'), /<h1>Imprint<\/h1>/)
    const html = unescaped(await page(admin, '/admin/looks?saved'))
    assert.match(html, /Saved\. It holds now/)
    for (const [name, value] of Object.entries(given)) {
      if (typeof value !== 'string' || /body|text|hidden|DISPLAY|POWERED/.test(name)) continue
      assert.ok(html.includes(`name="${name}"`) && html.includes(`value="${value}"`), name)
    }
    const again = await send(admin, 'preview', { ...given, 'LOGO.file': '', version: String(version) })
    assert.match(await again.text(), /Nothing differs from what is saved/)
  })

  it('keeps what was written as JSON and not touched', async ({ admin }) => {
    const changes = { HOME_TEXTS: '{"title":{"de":"Nur deutsch"}}', FOOTER_LINKS: '[{"label":{"en":"A"},"url":"/a"}]' }
    const first = await admin.settings.list()
    await send(admin, 'save', { ...given, 'LOGO.file': '', version: String(first.version) })
    await admin.settings.change({ changes })
    const before = await admin.settings.list()
    const form: LooksFields = {
      ...given,
      'LOGO.file': '',
      'HOME_TEXTS.title.de': 'Nur deutsch',
      'FOOTER_LINKS.0.label.en': 'A',
    }
    for (const name of ['HOME_TEXTS.title.en', 'HOME_TEXTS.text.en', 'HOME_TEXTS.text.de', 'FOOTER_LINKS.0.label.de'])
      delete form[name]
    await send(admin, 'save', { ...form, 'FOOTER_LINKS.0.url': '/a', version: String(before.version) })
    assert.equal((await admin.settings.list()).version, before.version)
  })

  it('refuses colours that cannot be read, and pictures that are none, and keeps what was typed', async ({ admin }) => {
    const version = String((await admin.settings.list()).version)
    const try_ = async (more: LooksFields) => {
      const response = await send(admin, 'preview', { ...given, 'LOGO.file': '', version, ...more })
      return { status: response.status, html: unescaped(await response.text()) }
    }
    const colours = await try_({ NEUTRAL: '#ff00ff', 'HOME_TEXTS.title.en': 'Typed' })
    assert.equal(colours.status, 400)
    assert.match(colours.html, /contrast of 4\.4\d:1/)
    assert.ok(colours.html.includes('value="#ff00ff"') && colours.html.includes('value="Typed"'))
    const sized = (bytes: number) => {
      const rest = 78
      return svg(`<desc>${'x'.repeat(bytes - rest - '<desc></desc>'.length)}</desc>`)
    }
    const pictures: [File, number][] = [
      [new File(['no picture'], 'a.png'), 400],
      [svg('<style>a{}</style>'), 400],
      [sized(MAX_LOGO_BYTES - 20), 200],
      [sized(MAX_LOGO_BYTES + 1_000), 400],
    ]
    for (const [picture, status] of pictures) {
      const { status: got, html } = await try_({ 'ICON.file': picture })
      assert.equal(got, status, picture.name)
      if (status === 400) assert.match(html, /This is no SVG or PNG/)
    }
    const links = await try_({ 'FOOTER_LINKS.1.label.en': 'Evil', 'FOOTER_LINKS.1.url': 'javascript:alert(1)' })
    assert.match(links.html, /Each link needs words/)
    assert.match((await try_({ 'OWN_PAGES.1.slug': '../up' })).html, /Each page needs an address of its own/)
    assert.equal((await admin.settings.list()).version, Number(version))
  })

  it('says when others changed something since, and has a way back', async ({ admin, anonymous }) => {
    await admin.settings.change({ changes: { SITE_NAME: 'Acme Lab' } })
    const { version } = await admin.settings.list()
    await admin.settings.change({ changes: { SIGN_UP: 'invited' } })
    const late = await send(admin, 'save', { ...given, SITE_NAME: 'Late', version: String(version) })
    assert.match(await late.text(), /were changed since/)
    const now = String((await admin.settings.list()).version)
    await send(admin, 'save', { ...given, 'LOGO.file': '', SITE_NAME: 'Other', version: now })
    assert.match(await page(anonymous, '/'), /<title>Other|· Other/)
    const { items } = await admin.settings.listChanges()
    const id = items.find(({ name }) => name === 'SITE_NAME')?.id ?? ''
    const undone = await send(admin, 'undo', { id })
    assert.equal(undone.headers.get('location'), '/admin/looks?undone')
    assert.equal(await storedOf(admin, 'SITE_NAME'), 'Acme Lab')
    const again = await send(admin, 'undo', { id })
    assert.equal(again.status, 409)
    const refused = await again.text()
    assert.match(refused, /id="changes-title"[\s\S]*role="alert"[\s\S]*?SITE_NAME was changed since/)
    assert.equal(refused.split('role="alert"').length, 2, 'once')
    const gone = await send(admin, 'save', { 'LOGO.remove': 'on', version: '0' })
    assert.equal(gone.status, 409)
  })

  it('is for admins alone, in their language', async ({ alice, moderator, anonymous, admin }) => {
    for (const person of [alice, moderator]) {
      assert.equal((await person.request('/admin/looks')).status, 403)
      assert.equal((await send(person, 'preview', given)).status, 403)
      assert.equal((await send(person, 'save', given)).status, 403)
    }
    assert.equal((await send(anonymous, 'save', given)).status, 303)
    const german = await admin.request('/admin/looks', { headers: { 'Accept-Language': 'de' } })
    assert.match(await german.text(), /Vorschau zeigen/)
  })
})

onEveryEngine(
  'the page of looks where the environment sets some',
  (it) => {
    it('locks them', async ({ admin }) => {
      const html = await page(admin)
      assert.match(html, /Set by the environment: <code>ACCENT<\/code>/)
      assert.match(html, /Set by the environment: <code>OWN_PAGES<\/code>/)
      assert.doesNotMatch(html, /name="(?:ACCENT|OWN_PAGES\.0\.slug)"/)
      const { version } = await admin.settings.list()
      const answer = await send(admin, 'preview', { ...given, version: String(version) })
      assert.equal(answer.status, 200)
      assert.match(await answer.text(), /--brand:#2b6cb0/)
    })
  },
  { ACCENT: '#2b6cb0', OWN_PAGES: '[{"slug":"a","title":"A","body":"B"}]' },
)
