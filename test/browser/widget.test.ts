// The widget on a page of another origin: by keyboard, with a picture that is cut, for guests and for people of the site, against messages of others;
// axe finds nothing in its frame.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Frame, Page } from 'playwright-core'
import sharp from 'sharp'
import { WIDGET_CLIENT } from '../../src/contract/own-clients.ts'
import { siteOf } from '../widget.ts'
import { skip } from './chromium.ts'
import { type Site, withSite } from './site.ts'

/** Serves a page at an origin of its own while `work` runs. */
async function withPage(html: string | ((origin: string) => string), work: (origin: string) => Promise<void>) {
  let origin = ''
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(typeof html === 'string' ? html : html(origin))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await work(origin)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

interface Host {
  origin: string
  page: Page
  /** The frame, once its button was pressed. */
  open(): Promise<Frame>
}

/** Calls `work` with a page of another origin, which includes the script. It is listed, unless told. */
async function onHost(
  site: Site,
  { attributes = '', isListed = true, scheme = 'light' as 'light' | 'dark' },
  work: (host: Host) => Promise<void>,
): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>Host</title><main><h1>Host</h1><button id="own">Own</button></main>
    <script src="${site.origin}/widget.js" ${attributes} async></script></html>`
  await withPage(html, async (origin) => {
    if (isListed) await site.world.admin.settings.change({ changes: { WIDGET_SITES: origin } })
    const context = await site.browser.newContext({ colorScheme: scheme })
    const page = await context.newPage()
    const open = async () => {
      await page.getByRole('button', { name: 'Feedback' }).click()
      const element = await page.locator('iframe').elementHandle()
      const frame = await element?.contentFrame()
      assert.ok(frame)
      await frame.getByRole('heading', { level: 1 }).waitFor()
      return frame
    }
    await page.goto(origin)
    await work({ origin, page, open })
    await context.close()
  })
}

const FOLDER = join(import.meta.dirname, '../../screenshots')

const isOpen = (page: Page) => page.locator('dialog').evaluate((dialog) => (dialog as HTMLDialogElement).open)

/** A picture of two halves: red on the left, blue on the right. */
const twoHalves = () => {
  const half = (background: string) => sharp({ create: { width: 100, height: 100, channels: 3, background } }).png()
  return Promise.all([half('#ff0000').toBuffer(), half('#0000ff').toBuffer()]).then(([left, right]) =>
    sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
      .composite([
        { input: left!, left: 0, top: 0 },
        { input: right!, left: 100, top: 0 },
      ])
      .png()
      .toBuffer(),
  )
}

async function fillBug(frame: Frame, title: string): Promise<void> {
  const form = frame.locator('[data-form=bug]')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Description').fill('I pressed Export.')
}

describe('the widget on another site', { skip }, () => {
  it('takes a bug of a guest with the part of a picture that is left, and what is there shows while typing', () =>
    withSite(async (site) => {
      const { world } = site
      await world.alice.bugs.create({ title: 'The export stays empty', description: 'D', severity: 'low' })
      await onHost(site, {}, async ({ open }) => {
        const frame = await open()
        await fillBug(frame, 'The export stays')
        await frame.getByRole('link', { name: 'The export stays empty' }).waitFor()
        const buffer = await twoHalves()
        await frame.locator('#shot-file').setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer })
        const left = frame.getByLabel('Cut on the left')
        await left.fill('50')
        await frame.getByRole('button', { name: 'Send' }).click()
        await frame.getByText(/Thank you\. A moderator reads #\d+ first\./).waitFor()
      })
      const { title, description } = await world.db
        .selectFrom('bug')
        .select(['title', 'description'])
        .where('hidden', '<>', 0)
        .executeTakeFirstOrThrow()
      assert.equal(title, 'The export stays')
      const { items } = await world.moderator.moderation.cases()
      await world.moderator.moderation.decide({ id: items[0]!.id, action: 'approve', rule: 'other' })
      const [, path = ''] = /\]\((\/[^)]+)\)/.exec(description) ?? []
      const bytes = await (await world.anonymous.request(path)).arrayBuffer()
      const { data, info } = await sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      assert.deepEqual([info.width, info.height], [100, 100])
      assert.deepEqual([data[0], data[2]], [0, 255])
    }))

  it('knows a person whom the site signs: votes, ideas and bugs in the name of the account', () =>
    withSite(async (site) => {
      const { world } = site
      const { id } = await world.alice.features.create({ title: 'Wider tables', description: 'For numbers.' })
      await onHost(site, {}, async ({ origin, page, open }) => {
        const host = await siteOf(world, origin)
        const identity = await host.sign({ name: 'Ada' })
        await page.evaluate((token) => Reflect.get(window, 'Guildhall').identify(async () => token), identity)
        const frame = await open()
        await frame.getByText('You write as ada.').waitFor()
        await frame.getByRole('button', { name: 'Ideas' }).click()
        await frame.getByRole('button', { name: /Vote for Wider tables/ }).click()
        await frame.locator('[data-list=ideas] [aria-pressed=true]').waitFor()
        assert.equal((await world.anonymous.features.get({ id })).score, 1)
        const form = frame.locator('[data-form=idea]')
        await form.getByLabel('Title').fill('Dark exports')
        await form.getByLabel('Description').fill('At night.')
        await form.getByRole('button').click()
        await frame.getByText(/Thank you\. It is idea #\d+\./).waitFor()
        await frame.getByRole('button', { name: 'Report a bug' }).click()
        await fillBug(frame, 'Nothing happens')
        await frame.locator('[data-form=bug] button[type=submit], [data-form=bug] button:not([type])').click()
        await frame.getByText(/Thank you\. It is bug #\d+\./).waitFor()
      })
      assert.equal((await world.anonymous.bugs.list()).items[0]?.authorUsername, 'ada')
    }))

  for (const mode of ['new', 'unverified'] as const) {
    it(`computes a proof of work where it is asked for: of ${mode} people, and of guests`, () =>
      withSite(async (site) => {
        const { world } = site
        await world.admin.settings.change({ changes: { PROOF_OF_WORK: mode, PROOF_NUMBERS: '1000' } })
        await onHost(site, {}, async ({ origin, page, open }) => {
          const identity = await (await siteOf(world, origin)).sign({ name: 'Ada' })
          const identify = (token: string | null) =>
            page.evaluate((given) => Reflect.get(window, 'Guildhall').identify(given), token)
          await identify(identity)
          const frame = await open()
          await frame.getByText('You write as ada.').waitFor()
          await fillBug(frame, 'Nothing happens')
          const buffer = await twoHalves()
          await frame.locator('#shot-file').setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer })
          await frame.locator('[data-crop]').waitFor()
          await frame.getByRole('button', { name: 'Send' }).click()
          await frame.getByText(/Thank you\. It is bug #\d+\./).waitFor()
          await frame.getByRole('button', { name: 'Ideas' }).click()
          const form = frame.locator('[data-form=idea]')
          await form.getByLabel('Title').fill('Dark exports')
          await form.getByLabel('Description').fill('At night.')
          await form.getByRole('button').click()
          await frame.getByText(/Thank you\. It is idea #\d+\./).waitFor()
          await identify(null)
          await frame.getByText('You write as a guest.').waitFor()
          await frame.getByRole('button', { name: 'Report a bug' }).click()
          await fillBug(frame, 'Of a guest')
          await frame.getByRole('button', { name: 'Send' }).click()
          await frame.getByText(/Thank you\. A moderator reads #\d+ first\./).waitFor()
        })
        assert.equal((await world.db.selectFrom('usedProof').select('hash').execute()).length, 3)
      }))
  }

  it('tells the host once of a token that ended, whatever was called, and is a guest until it has another', () =>
    withSite(async (site) => {
      const { world } = site
      const { id } = await world.alice.features.create({ title: 'Wider tables', description: 'For numbers.' })
      await onHost(site, {}, async ({ origin, page, open }) => {
        const host = await siteOf(world, origin)
        const asked = (count: number) => page.waitForFunction((least) => Reflect.get(window, 'asked') >= least, count)
        await page.evaluate(
          (token) => {
            Object.assign(window, { asked: 0, next: token })
            Reflect.get(window, 'Guildhall').identify(() => {
              Reflect.set(window, 'asked', Reflect.get(window, 'asked') + 1)
              return Reflect.get(window, 'next')
            })
          },
          await host.sign(),
        )
        const setNext = (token: string | null) => page.evaluate((next) => Reflect.set(window, 'next', next), token)
        const frame = await open()
        await frame.getByText('You write as ada.').waitFor()
        await asked(1)
        await frame.getByRole('button', { name: 'Ideas' }).click()
        const vote = frame.getByRole('button', { name: /Vote for Wider tables/ })
        await vote.waitFor()
        const end = () => world.db.deleteFrom('grant').where('clientId', '=', WIDGET_CLIENT).execute()
        // By a vote: the site has another one.
        await end()
        await setNext(await host.sign({ exp: Math.floor(world.clock.now() / 1000) + 500 }))
        await vote.click()
        await asked(2)
        await frame.getByText('You write as ada.').waitFor()
        await vote.click()
        await frame.locator('[data-list=ideas] [aria-pressed=true]').waitFor()
        assert.equal((await world.anonymous.features.get({ id })).score, 1)
        // By a picture, which is sent before its bug: the site has none.
        await end()
        await setNext(null)
        await frame.getByRole('button', { name: 'Report a bug' }).click()
        await fillBug(frame, 'Nothing happens')
        const buffer = await twoHalves()
        await frame.locator('#shot-file').setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer })
        await frame.locator('[data-crop]').waitFor()
        await frame.getByRole('button', { name: 'Send' }).click()
        await asked(3)
        await frame.getByText('You write as a guest.').waitFor()
        assert.equal(await page.evaluate(() => Reflect.get(window, 'asked')), 3)
      })
    }))

  it('is opened, left and closed by keys, and gives the focus back', () =>
    withSite((site) =>
      onHost(site, { attributes: 'data-lang="de" data-open="news"' }, async ({ page }) => {
        const button = page.getByRole('button', { name: 'Feedback' })
        await button.focus()
        await page.keyboard.press('Enter')
        const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
        await frame?.getByRole('heading', { name: 'Was ist neu' }).waitFor()
        assert.equal(await isOpen(page), true)
        // What is behind it cannot be reached.
        for (let n = 0; n < 12; n++) {
          await page.keyboard.press('Tab')
          assert.notEqual(await page.evaluate(() => document.activeElement?.id), 'own')
        }
        await frame?.locator('[data-close]').focus()
        await page.keyboard.press('Escape')
        await page.waitForFunction(() => {
          const root = [...document.body.children].find(({ shadowRoot }) => shadowRoot)?.shadowRoot
          return root?.activeElement?.localName === 'button' && !root.querySelector('dialog')?.open
        })
        await page.evaluate(() => Reflect.get(window, 'Guildhall').open('bug'))
        await frame?.getByRole('heading', { name: 'Bug melden' }).waitFor()
      }),
    ))

  for (const scheme of ['light', 'dark'] as const) {
    it(`has nothing for axe to find, ${scheme}, in the colours of the host`, () =>
      withSite(async (site) => {
        await site.world.alice.features.create({ title: 'Wider tables', description: 'For numbers.' })
        await onHost(site, { attributes: 'data-accent="#ffdd00"', scheme }, async ({ origin, page, open }) => {
          const host = await siteOf(site.world, origin)
          const token = await host.sign({ name: 'Ada' })
          await page.evaluate((given) => Reflect.get(window, 'Guildhall').identify(given), token)
          const frame = await open()
          await frame.getByText('You write as ada.').waitFor()
          const buffer = await twoHalves()
          await frame.locator('#shot-file').setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer })
          for (const view of ['bug', 'ideas', 'news']) {
            await frame.locator(`[data-view=${view}]`).click()
            await page.screenshot({ path: join(FOLDER, `widget-${view}-${scheme}.png`) })
            const { violations } = await new AxeBuilder({ page }).analyze()
            assert.deepEqual(
              violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
              [],
              view,
            )
          }
        })
      }))
  }

  it('hears no message of another window on the page of the host', () =>
    withSite((site) =>
      onHost(site, {}, async ({ page, open }) => {
        const frame = await open()
        await frame.getByText('You write as a guest.').waitFor()
        await withPage(
          `<script>for (const guildhall of ['hide', 'close', 'done']) parent.postMessage({ guildhall }, '*')</script>`,
          (origin) =>
            page.evaluate(
              (src) =>
                new Promise<void>((resolve) => {
                  addEventListener('message', ({ data }) => data.guildhall === 'done' && resolve())
                  const other = document.createElement('iframe')
                  other.src = src
                  document.body.append(other)
                }),
              origin,
            ),
        )
        assert.equal(await isOpen(page), true)
        assert.equal(await page.locator('dialog.away').count(), 0)
        // The same words of the frame itself are heard.
        await frame.evaluate((to) => parent.postMessage({ guildhall: 'close' }, to), new URL(page.url()).origin)
        await page.locator('dialog').waitFor({ state: 'hidden' })
      }),
    ))

  it('hears the site of its address alone, also where another one is listed', () =>
    withSite((site) =>
      onHost(site, {}, async ({ origin, page }) => {
        const frames = (own: string) =>
          [own, origin].map((host) => `<iframe src="${site.origin}/widget?host=${encodeURIComponent(host)}"></iframe>`)
        const script = `<script>onload = () => {
          for (const { contentWindow } of document.querySelectorAll('iframe'))
            contentWindow.postMessage({ guildhall: 'open', view: 'news' }, '*') }</script>`
        await withPage(
          (own) => `${frames(own).join('')}${script}`,
          async (other) => {
            await site.world.admin.settings.change({ changes: { WIDGET_SITES: `${origin}, ${other}` } })
            await page.goto(other)
            const [asked, deaf] = await Promise.all(
              (await page.locator('iframe').elementHandles()).map((element) => element.contentFrame()),
            )
            await asked!.getByRole('heading', { name: 'What is new' }).waitFor()
            assert.equal(await deaf!.getByRole('heading', { name: 'Report a bug' }).count(), 1)
            assert.equal(await deaf!.getByRole('heading', { name: 'What is new' }).count(), 0)
          },
        )
      }),
    ))

  it('shows nothing on a site that is not listed', () =>
    withSite(
      (site) =>
        onHost(site, { isListed: false }, async ({ page }) => {
          await page.getByRole('button', { name: 'Feedback' }).click()
          const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
          await page.waitForTimeout(500)
          assert.equal(await frame?.locator('[data-widget]').count(), 0)
        }),
      { WIDGET_SITES: 'https://app.example' },
    ))
})
