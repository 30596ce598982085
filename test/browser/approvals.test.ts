// An agent is let in within bounds that its owner chooses, asks before it publishes, and is bounded and looked at afterwards: with and
// without script, and nothing for axe to find.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { presets } from '../../src/contract/bounds.ts'
import { agentWith } from '../agents.ts'
import { oauthClient, REDIRECT } from '../oauth.ts'
import { skip } from './chromium.ts'
import { ledTo, type Site, type Visitor, visit, withSite } from './site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
const SCOPE = 'community:read community:write library:read library:write offline_access'

/** Looks at a page: no violation, nothing wider than the window, and a picture to look at. */
async function assertSound({ page }: Visitor, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true })
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
    [],
  )
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0)
}

/** Lets an agent in by the consent page, where the owner wants to be asked. */
async function letIn(site: Site, visitor: Visitor, look: (name: string) => Promise<void>) {
  const client = oauthClient(site.world)
  const clientId = await client.register({ client_name: 'Night Clerk' })
  const verifier = client.newVerifier()
  const details = [{ type: 'guildhall_bounds', writes: 20, kinds: ['posts', 'library'] }]
  const more = { authorization_details: JSON.stringify(details) }
  const { page } = visitor
  await visitor.open(`/api/auth/oauth2/authorize?${client.request({ clientId, scope: SCOPE, more }, verifier)}`)
  await page.getByText('As the app asks').waitFor()
  await look('consent')
  await page.getByLabel('Ask me before it publishes').check()
  const callback = await ledTo(page, REDIRECT, () => page.getByRole('button', { name: 'Allow' }).click())
  const code = callback.searchParams.get('code') ?? ''
  const granted = { code, verifier, clientId, redirectUri: REDIRECT, callback }
  const { access_token: token } = await client.exchange(granted)
  return agentWith(site.world, token)
}

describe('an agent that asks before it publishes', { skip }, () => {
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    it(`is let in, agreed to, bounded and refused, ${scheme}, ${width} px wide`, async () => {
      await withSite(async (site) => {
        const visitor = await visit(site, { scheme, width, name: 'mira' })
        const { page } = visitor
        const look = (name: string) => assertSound(visitor, `approvals-${name}-${scheme}-${width}`)
        const agent = await letIn(site, visitor, look)
        const body = 'What I found tonight, and **why** it matters.\n\n- one\n- two'
        await assert.rejects(agent.posts.create({ title: 'The night in short', body }), { status: 202 })
        await assert.rejects(agent.posts.create({ title: 'A second one', body }), { status: 202 })
        await site.world.app.deliver()
        await visitor.open('/notifications')
        assert.equal(await page.getByText('Night Clerk asks for your approval').count(), 2)
        await visitor.open('/settings/pending')
        await look('list')
        await page.getByRole('link', { name: 'Write a post' }).last().click()
        await page.getByRole('heading', { name: 'What will happen' }).waitFor()
        await look('one')
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.getByText('Published').first().waitFor()
        await look('made')
        assert.deepEqual(
          (await site.world.anonymous.posts.list({})).items.map(({ title }) => title),
          ['The night in short'],
        )
        await visitor.open('/settings/pending')
        await page.getByRole('link', { name: 'Write a post' }).first().click()
        await page.getByLabel('Reason').fill('One is enough')
        await page.getByRole('button', { name: 'Decline' }).click()
        await page.getByText('You declined it.').waitFor()
        assert.equal((await agent.pendingActs.list({})).items[0]?.reason, 'One is enough')

        await visitor.open('/settings/apps')
        await page.getByRole('link', { name: 'Night Clerk' }).click()
        await page.getByRole('heading', { name: 'Limits' }).waitFor()
        await look('app')
        assert.equal(await page.locator('table [type="radio"][value="ask"]:checked').count(), presets.ask.ask.length)
        for (const allow of await page.locator('table [type="radio"][value="allow"]').all()) await allow.check()
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('It applies immediately').waitFor()
        await agent.posts.create({ title: 'A third one', body })
        await visitor.open('/community/agents')
        await look('agents')
      })
    })
  }

  it('is agreed to without script', async () => {
    await withSite(async (site) => {
      const visitor = await visit(site, { scripted: false, name: 'mira' })
      const { page } = visitor
      const agent = await letIn(site, visitor, async () => {})
      await assert.rejects(agent.posts.create({ title: 'The night in short', body: 'B' }), { status: 202 })
      await visitor.open('/settings/pending')
      await page.getByRole('link', { name: 'Write a post' }).click()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Published').first().waitFor()
      assert.equal((await site.world.anonymous.posts.list({})).total, 1)
    })
  })
})
