// Who has never been here signs up, writes a post with a picture that mentions a member, and copies the line that installs an item: by
// keyboard alone and on a phone, in English and in German. Each way has a bound of steps: keys other than of words, or taps.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { textsOf } from '../../src/language/derive.ts'
import { workflowFile } from '../library.ts'
import { tinyPng } from '../pictures.ts'
import { skip } from './chromium.ts'
import { type Site, visit, withSite } from './site.ts'

interface Way {
  /** As many keys, or taps, as the whole may take. */
  maxSteps: number
  touch: boolean
  /** Chooses a link or a button. */
  press(target: Locator): Promise<void>
  /** Goes to a field. */
  enter(field: Locator): Promise<void>
}

/** From key to key: what cannot be reached so within 80 is out of reach. */
function byKeyboard(page: Page, step: () => void): Way {
  const isFocused = (target: Locator) => target.evaluate((node) => node === document.activeElement)
  /** A page focuses its first field with its first frame. A Tab before that goes through the whole header instead. */
  const isDrawn = () => !document.querySelector('[autofocus]') || document.activeElement !== document.body
  const enter = async (target: Locator) => {
    await target.waitFor()
    await page.waitForFunction(isDrawn)
    for (let keys = 0; !(await isFocused(target)); keys++) {
      assert.ok(keys < 80, `${target} is reached by Tab`)
      await page.keyboard.press('Tab')
      step()
    }
  }
  const press = async (target: Locator) => {
    await enter(target)
    await page.keyboard.press('Enter')
    step()
  }
  // Most are links of the navigation: each link more of it is five more, as this goes through it on five pages.
  return { maxSteps: 160, touch: false, press, enter }
}

function byTouch(step: () => void): Way {
  const press = async (target: Locator) => {
    step()
    await target.tap()
  }
  return { maxSteps: 20, touch: true, press, enter: press }
}

/** The words of a language: `home.join`. */
const wordsOf = (language: string) => (key: string) => {
  const [area = '', ...name] = key.split('.')
  return textsOf(area, language)[name.join('.')] ?? assert.fail(`${key} in ${language}`)
}

interface Newcomer {
  site: Site
  page: Page
  way: Way
  t: ReturnType<typeof wordsOf>
}

const link = ({ page }: Newcomer, name: string) => page.getByRole('link', { name, exact: true }).first()
const button = ({ page }: Newcomer, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

async function signUp(newcomer: Newcomer): Promise<void> {
  const { site, page, way, t } = newcomer
  await page.goto('/')
  await way.press(link(newcomer, t('home.join')))
  const given = { name: 'Nia New', email: 'nia@example.com', password: 'seven small otters' }
  for (const [name, text] of Object.entries(given)) {
    await way.enter(page.locator(`main input[name="${name}"]`))
    await page.keyboard.type(text)
  }
  await way.press(button(newcomer, t('auth.signUp.title')))
  await page.waitForURL('**/verify-email**')
  await way.enter(page.locator('main input[name="code"]'))
  await page.keyboard.type(await site.world.code(given.email))
  await way.press(button(newcomer, t('auth.verify.button')))
  await way.enter(page.locator('main input[name="username"]'))
  await page.keyboard.type('nia')
  await way.press(button(newcomer, t('onboarding.save')))
}

/** From the page that greets: its first link is a post. */
async function writePost(newcomer: Newcomer): Promise<void> {
  const { page, way, t } = newcomer
  await way.press(link(newcomer, t('onboarding.first.post')))
  await way.enter(page.locator('main input[name="title"]'))
  await page.keyboard.type('Hello from the harbor')
  const chooser = page.waitForEvent('filechooser')
  if (way.touch) await way.press(button(newcomer, t('editor.picture')))
  else {
    // A toolbar is one stop of Tab, and arrows move in it.
    await way.enter(page.getByRole('toolbar').getByRole('button').first())
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
  }
  const buffer = Buffer.from(await (await tinyPng()).arrayBuffer())
  await (await chooser).setFiles([{ name: 'harbor.png', mimeType: 'image/png', buffer }])
  await page.getByText(t('editor.sent')).waitFor()
  await page.keyboard.type('The harbor')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nHello @mir')
  const suggestion = page.getByRole('option', { name: '@mirabel' })
  await suggestion.waitFor()
  if (way.touch) await way.press(suggestion)
  else await page.keyboard.press('Enter')
  await way.press(button(newcomer, t('kinds.post.submit')))
  const main = page.getByRole('main')
  await main.getByRole('img', { name: 'The harbor' }).waitFor()
  await main.getByRole('link', { name: '@mirabel' }).waitFor()
}

async function install(newcomer: Newcomer): Promise<void> {
  const { page, way, t } = newcomer
  if (way.touch) await way.press(page.getByRole('button', { name: t('frame.menu'), exact: true }))
  await way.press(link(newcomer, t('frame.everything')))
  await way.press(link(newcomer, 'Tide table'))
  await way.press(page.locator('main [data-copy^="guildhall install"]').first())
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^guildhall install workflow\/tide-table$/)
}

async function prepare({ world }: Site): Promise<void> {
  await world.alice.profile.setUsername({ username: 'mirabel' })
  const file = workflowFile({ name: 'Tide table', id: 'tide-table' })
  await world.alice.library.publish({ kind: 'workflow', visibility: 'public', file })
}

describe('a newcomer', { skip }, () => {
  for (const language of ['en', 'de']) {
    for (const how of ['by keyboard alone', 'on a phone']) {
      it(`signs up, writes a post with a picture and a mention, and installs an item, ${how}, in ${language}`, () =>
        withSite(async (site) => {
          await prepare(site)
          const touch = how === 'on a phone'
          const { page, context, checkComplaints } = await visit(site, { width: touch ? 390 : 1280, language, touch })
          await context.grantPermissions(['clipboard-read', 'clipboard-write'])
          let steps = 0
          const step = () => void steps++
          const way = touch ? byTouch(step) : byKeyboard(page, step)
          const newcomer = { site, page, way, t: wordsOf(language) }
          for (const part of [signUp, writePost, install]) await part(newcomer)
          assert.ok(steps <= way.maxSteps, `${steps} steps`)
          checkComplaints()
        }))
    }
  }
})
