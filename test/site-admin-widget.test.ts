// The page on which admins make keys for the widget, as a browser without script uses it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { SITE } from './widget.ts'
import { onEveryEngine } from './world.ts'

const PAGE = '/admin/widget'

onEveryEngine('the page of the widget for admins', (it) => {
  it('has the line to copy, makes a key that is shown once, and revokes it', async ({ admin }) => {
    await admin.account()
    assert.match(await (await admin.request(PAGE)).text(), /The widget is off/)
    await admin.settings.change({ changes: { WIDGET_SITES: SITE } })
    assert.match(await (await admin.request(PAGE)).text(), /http:\/\/localhost:3000\/widget\.js/)
    const made = await (await submit(admin, `${PAGE}?/create`, { site: SITE })).text()
    const [secret] = /gwidget_[\w-]{20,}/.exec(made) ?? []
    assert.ok(secret)
    const page = await (await admin.request(PAGE)).text()
    assert.equal(page.includes(secret), false)
    const [key] = (await admin.widget.keys()).items
    assert.equal(key?.site, SITE)
    await submit(admin, `${PAGE}?/revoke`, { id: key.id, site: SITE })
    assert.deepEqual((await admin.widget.keys()).items, [])
  })

  it('is for admins, also in German', async ({ admin, moderator, alice, anonymous }) => {
    for (const other of [alice, moderator]) assert.notEqual((await other.request(PAGE)).status, 200)
    assert.notEqual((await anonymous.request(PAGE, { redirect: 'manual' })).status, 200)
    const headers = { 'Accept-Language': 'de', Accept: 'text/html' }
    assert.match(await (await admin.request(PAGE, { headers })).text(), /Das Widget ist aus/)
  })
})
