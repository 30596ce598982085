// Exports of one's data on the page of the settings, as a browser without script uses it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { onEveryEngine } from './world.ts'

const PAGE = '/settings/data'
const CANCEL = `${PAGE}?/cancelExport`

onEveryEngine('an export on the page of one’s data', (it) => {
  it('is cancelled by a button while it is prepared, and nothing is left of it', async ({ alice, app, mails }) => {
    const { email } = await alice.account()
    assert.doesNotMatch(await (await alice.request(PAGE)).text(), /cancelExport/)
    await submit(alice, `${PAGE}?/requestExport`, {})
    const [waiting] = (await alice.dataExports.list()).items
    const page = await (await alice.request(PAGE)).text()
    assert.match(page, /cancelExport/)
    assert.ok(page.includes(waiting!.id))
    assert.match(await (await submit(alice, CANCEL, { id: waiting!.id })).text(), /The export is cancelled/)
    assert.deepEqual((await alice.dataExports.list()).items, [])
    await app.work()
    assert.ok(!(await mails(email)).some(({ subject }) => /ready to download/.test(subject)))
    assert.match(await (await submit(alice, `${PAGE}?/requestExport`, {})).text(), /is being prepared/)
  })

  it('is not cancelled once it is prepared, by another member, or twice', async ({ alice, bob, app }) => {
    await alice.account()
    await bob.account()
    const { id } = await alice.dataExports.request()
    assert.equal((await submit(bob, CANCEL, { id })).status, 404)
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'waiting')
    await app.work()
    const refused = await submit(alice, CANCEL, { id })
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), /It is prepared already/)
    assert.equal((await alice.dataExports.list()).items[0]?.state, 'ready')
    assert.equal((await submit(alice, CANCEL, { id: 'nothing' })).status, 404)
  })

  it('is cancelled in German, too', async ({ alice }) => {
    await alice.account()
    const { id } = await alice.dataExports.request()
    const headers = { 'Accept-Language': 'de', Accept: 'text/html' }
    assert.match(await (await alice.request(PAGE, { headers })).text(), /Den Export vom .+ abbrechen/)
    assert.match(await (await submit(alice, CANCEL, { id }, { 'Accept-Language': 'de' })).text(), /abgebrochen/)
  })
})
