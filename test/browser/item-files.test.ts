// A file of an item in a browser: each line stands beside its number, which is an anchor and is not copied.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { automationFile } from '../library.ts'
import { newBrowser } from '../visitors.ts'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, visit, withSite } from './site.ts'

const LINES = [
  '',
  '// What it does',
  `const long = '${'a word '.repeat(60)}'`,
  '',
  '\tif (long) {',
  '/* over',
  '   lines */',
  'const 日本 = "語" // \u202e hidden',
  ...Array.from({ length: 112 }, (_, index) => `step(${index})`),
]

/** Publishes an item with a script of those lines; gives the address of the page that shows the script. */
async function publish({ world }: Site, text: string): Promise<string> {
  await world.alice.account()
  const api = newBrowser(world)
  await api.accounts.signUp({ name: 'mara', email: 'mara@example.com', password: PASSWORD })
  const file = automationFile({ permissions: { steps: ['navigate'], scripts: ['list'] } }, [
    { name: 'scripts/list.js', data: text },
  ])
  const { slug } = await api.library.publish({ kind: 'automation', visibility: 'public', file })
  return `/library/automations/${slug}/files/scripts/list.js`
}

/** Where each number and the beginning of each line that is not empty are: top and bottom, in px. */
const places = (page: Page) =>
  page.evaluate(() => {
    const span = ({ top, bottom }: DOMRect) => ({ top, bottom })
    const numbers = [...document.querySelectorAll('.numbers span')]
    const code = document.querySelector('.text code')!
    const lines = new Map<number, { top: number; bottom: number }>()
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    let line = 1
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const [offset, sign] of [...(node.textContent ?? '')].entries()) {
        if (sign === '\n') line += 1
        else if (!lines.has(line)) {
          const range = document.createRange()
          range.setStart(node, offset)
          range.setEnd(node, offset + 1)
          lines.set(line, span(range.getBoundingClientRect()))
        }
      }
    }
    return {
      numbers: numbers.map((number) => ({
        ...span(number.getBoundingClientRect()),
        text: number.textContent,
        id: number.id,
      })),
      lines: [...lines],
      count: line,
    }
  })

const middle = ({ top, bottom }: { top: number; bottom: number }) => (top + bottom) / 2

async function assertNumbered(page: Page): Promise<void> {
  const { numbers, lines, count } = await places(page)
  assert.equal(count, LINES.length)
  assert.deepEqual(
    numbers.map(({ text, id }) => [text, id]),
    LINES.map((_, index) => [String(index + 1), `L${index + 1}`]),
  )
  for (const [index, { top }] of numbers.slice(1).entries()) {
    assert.ok(top >= numbers[index]!.bottom, `${index + 2} lies on the number above it`)
  }
  assert.equal(lines.length, LINES.filter(Boolean).length)
  for (const [line, place] of lines) {
    const off = Math.abs(middle(place) - middle(numbers[line - 1]!))
    assert.ok(off < 4, `line ${line} is ${off} px from its number`)
  }
}

describe('a file of an item', { skip }, () => {
  for (const width of [1280, 390, 320]) {
    it(`has the number of each line beside it, ${width} px wide`, async () => {
      await withSite(async (site) => {
        const path = await publish(site, `${LINES.join('\n')}\n`)
        const { page, open, checkComplaints } = await visit(site, { width })
        await open(path)
        await assertNumbered(page)
        await open(`${path}#L100`)
        assert.equal(await page.locator(':target').textContent(), '100')
        const { y } = (await page.locator(':target').boundingBox())!
        assert.ok(y > 0 && y < 900, `line 100 is at ${y} px`)
        checkComplaints()
      })
    })
  }

  it('has the same numbers where lines end in other ways', async () => {
    await withSite(async (site) => {
      const ends = ['\r\n', '\r', '\n']
      const text = LINES.map((line, index) => line + ends[index % 3]).join('')
      const { page, open } = await visit(site)
      await open(await publish(site, text))
      await assertNumbered(page)
    })
  })

  it('is copied without the numbers', async () => {
    await withSite(async (site) => {
      const { page, open, context } = await visit(site)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await open(await publish(site, LINES.join('\n')))
      await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('.file')!))
      await page.keyboard.press('Control+C')
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      const shown = LINES.join('\n').replace('\u202e', 'U+202E')
      assert.equal(copied.replaceAll('\r\n', '\n').trim(), shown.trim())
    })
  })
})
