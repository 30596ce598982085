// A person takes scopes away where an app is let in: on the consent page and on that of a device, with and without script. What is left
// is what the app gets.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEVICE_GRANT } from '../../src/oauth/rules.ts'
import { agentWith } from '../agents.ts'
import { AGENT, oauthClient, REDIRECT } from '../oauth.ts'
import { skip } from './chromium.ts'
import { ledTo, type Site, type Visitor, visit, withSite } from './site.ts'

const SCOPE = 'community:read community:write library:read library:write offline_access'
const LEFT = 'community:read library:read offline_access'

/** Takes away what it may write, and allows the rest. */
async function narrow({ page }: Visitor): Promise<void> {
  const box = (scope: string) => page.getByRole('checkbox', { name: `(${scope})` })
  assert.equal(await box('community:read').isChecked(), true)
  for (const scope of ['community:write', 'library:write']) await box(scope).uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
}

/** The token reads and does not write, and the page of connected apps names no other scope. */
async function assertNarrow({ world }: Site, { page, open }: Visitor, token: string): Promise<void> {
  const agent = agentWith(world, token)
  assert.ok(Array.isArray((await agent.bugs.list({})).items))
  await assert.rejects(agent.posts.create({ title: 'T', body: 'B' }), { status: 403 })
  const [grant] = await world.db.selectFrom('grant').select('scope').execute()
  assert.equal(grant?.scope, LEFT)
  await open('/settings/apps')
  assert.equal(await page.getByText('community:write').count(), 0)
}

describe('an app that asks for more than it gets', { skip }, () => {
  for (const scripted of [true, false]) {
    const how = scripted ? 'with script' : 'without script'

    it(`has the scopes that were left on the consent page, ${how}`, async () => {
      await withSite(async (site) => {
        const client = oauthClient(site.world)
        const clientId = await client.register({ client_name: 'Night Clerk' })
        const verifier = client.newVerifier()
        const visitor = await visit(site, { scripted, name: 'mira' })
        const { page } = visitor
        await visitor.open(`/api/auth/oauth2/authorize?${client.request({ clientId, scope: SCOPE }, verifier)}`)
        const callback = await ledTo(page, REDIRECT, () => narrow(visitor))
        const code = callback.searchParams.get('code') ?? ''
        const tokens = await client.exchange({ code, verifier, clientId, redirectUri: REDIRECT, callback })
        assert.equal(tokens.scope, LEFT)
        await assertNarrow(site, visitor, tokens.access_token)
      })
    })

    it(`has the scopes that were left on the page of a device, ${how}`, async () => {
      await withSite(async (site) => {
        const client = oauthClient(site.world)
        const form = new URLSearchParams({ client_id: AGENT, scope: SCOPE }).toString()
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const asked = await client.send('/api/auth/oauth2/device_authorization', {
          method: 'POST',
          headers,
          body: form,
        })
        const codes = (await asked.json()) as { device_code: string; verification_uri_complete: string }
        const visitor = await visit(site, { scripted, name: 'mira' })
        const { page } = visitor
        await visitor.open(codes.verification_uri_complete)
        await page.getByRole('button', { name: 'Continue' }).click()
        await narrow(visitor)
        await page.getByRole('heading', { name: 'Your device is connected' }).waitFor()
        const grant = { grant_type: DEVICE_GRANT, device_code: codes.device_code, client_id: AGENT }
        const tokens = await client.token(grant)
        assert.equal(tokens.scope, LEFT)
        await assertNarrow(site, visitor, tokens.access_token)
      })
    })
  }
})
