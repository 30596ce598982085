// A machine beside a thread, with and without script: what it suggests is shown and marked, comes into the box by a press, and axe finds nothing.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { answerBy, startMachine } from '../http-service.ts'
import { skip } from './chromium.ts'
import { type Visitor, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
const { service, settings } = await startMachine()
const ANSWER = 'Sign the body as it came, before any program reads it as JSON.\n\nThat helped in the older report.'

/** Looks at a page: no violation, nothing wider than the window, and a picture to look at. */
async function assertSound({ page }: Visitor, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true })
  // axe is a script itself.
  if (name.includes('unscripted')) return
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
    [],
  )
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0)
}

describe('a machine beside a thread', { skip }, () => {
  for (const scripted of [true, false]) {
    const way = scripted ? 'with script' : 'without script'
    it(`suggests and translates ${way}`, () =>
      withSite(async (site) => {
        const { world } = site
        const { alice, moderator } = world
        await moderator.labels.create({ name: 'webhooks', color: '#336699' })
        await alice.bugs.create({ title: 'The webhook signature is wrong', description: 'Raw body', severity: 'low' })
        const title = 'My webhook signature is wrong, too'
        const { id } = await alice.bugs.create({ title, description: 'It fails since March.', severity: 'low' })
        await alice.bugs.comment({ id, body: 'Das passiert nur mit Umlauten.' })
        const visitor = await visit(site, { scripted, name: 'mona', role: 'moderator' })
        const { page } = visitor
        const name = scripted ? 'assistant' : 'assistant-unscripted'
        await visitor.open(`/community/bugs/${id}`)

        answerBy(service, '{"labels": ["webhooks"], "severity": "high"}')
        await page.locator('#decide-title').click()
        await page.getByRole('button', { name: 'Suggest labels and severity' }).click()
        await page.getByRole('button', { name: 'Set severity to High' }).waitFor()
        await assertSound(visitor, `${name}-triage`)
        assert.equal((await alice.bugs.get({ id })).severity, 'low')
        await page.getByRole('button', { name: 'Set severity to High' }).click()
        await page.getByRole('button', { name: 'Suggest labels and severity' }).waitFor()
        assert.equal((await alice.bugs.get({ id })).severity, 'high')

        answerBy(service, 'This only happens with umlauts.')
        const more = page.locator('summary', { hasText: '…' }).last()
        if (!(await page.getByRole('button', { name: 'Translate' }).isVisible())) await more.click()
        await page.getByRole('button', { name: 'Translate' }).click()
        await page.getByText('This only happens with umlauts.').waitFor()
        await assertSound(visitor, `${name}-translation`)

        answerBy(service, ANSWER)
        const box = page.getByLabel('Your comment')
        await box.fill('Hello Alice,')
        await page.getByRole('button', { name: 'Suggest an answer' }).click()
        await page.getByRole('button', { name: 'Insert into my comment' }).waitFor()
        assert.equal(await box.inputValue(), 'Hello Alice,')
        await assertSound(visitor, `${name}-answer`)
        await page.getByRole('button', { name: 'Insert into my comment' }).click()
        await page.getByRole('button', { name: 'Suggest an answer' }).waitFor()
        assert.equal(await box.inputValue(), `Hello Alice,\n\n${ANSWER}`)
        assert.equal((await alice.bugs.get({ id })).commentCount, 1)
        visitor.checkComplaints()
      }, settings))
  }

  it('is marked in German on a phone', () =>
    withSite(async (site) => {
      const { alice } = site.world
      const { id } = await alice.bugs.create({ title: 'Late', description: 'It is late.', severity: 'low' })
      const options = { name: 'mona', role: 'moderator', language: 'de', width: 390, scheme: 'dark' } as const
      const visitor = await visit(site, options)
      await visitor.open(`/community/bugs/${id}`)
      answerBy(service, ANSWER)
      await visitor.page.getByRole('button', { name: 'Antwort vorschlagen' }).click()
      await visitor.page.getByText('Maschinell erstellt').waitFor()
      await assertSound(visitor, 'assistant-answer-german')
      visitor.checkComplaints()
    }, settings))
})
