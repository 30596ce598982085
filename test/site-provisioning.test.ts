// The page on which admins make tokens for provisioning, as a browser without script uses it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine } from './world.ts'

const PAGE = '/admin/provisioning'

onEveryEngine('the page of provisioning', (it) => {
  it('makes a token that is shown once, and revokes it', async ({ admin, app }) => {
    await admin.account()
    assert.match(await (await admin.request(PAGE)).text(), /SCIM is off/)
    await admin.settings.change({ changes: { SCIM: 'on' } })
    const made = await (await submit(admin, `${PAGE}?/create`, { name: 'Okta' })).text()
    const [token] = /gscim_[\w-]{20,}/.exec(made) ?? []
    assert.ok(token)
    const page = await (await admin.request(PAGE)).text()
    assert.equal(page.includes(token), false)
    assert.match(page, /Okta/)
    const asks = async () => {
      const headers = { Authorization: `Bearer ${token}` }
      return (await app.fetch(new Request('http://localhost:3000/api/scim/v2/Users', { headers }))).status
    }
    assert.equal(await asks(), 200)
    const [{ id }] = (await admin.scimTokens.list()).items as unknown as [{ id: string }]
    await submit(admin, `${PAGE}?/revoke`, { id, name: 'Okta' })
    assert.equal(await asks(), 401)
  })

  it('is for admins, also in German', async ({ admin, moderator, alice, anonymous }) => {
    for (const other of [alice, moderator]) assert.notEqual((await other.request(PAGE)).status, 200)
    assert.notEqual((await anonymous.request(PAGE, { redirect: 'manual' })).status, 200)
    const headers = { 'Accept-Language': 'de', Accept: 'text/html' }
    assert.match(await (await admin.request(PAGE, { headers })).text(), /Noch gibt es keinen Token/)
  })
})
