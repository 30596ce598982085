// Programs with a workload identity on the page of tokens, as a browser without script uses it.
import assert from 'node:assert/strict'
import { issuerFor } from './ci.ts'
import { submit } from './form.ts'
import { onEveryEngine } from './world.ts'

const HERE = '/settings/tokens'
const SUBJECT = 'repo:mira/digest:ref:refs/heads/main'

onEveryEngine('programs without a secret on the site', (it) => {
  it('show nowhere while no issuer is allowed', async ({ alice }) => {
    assert.doesNotMatch(await (await alice.request(HERE)).text(), /workloads-title/)
  })

  it('are let in by a form, with claims and scopes, and shut out again', async (world) => {
    const { alice, admin } = world
    const issuer = await issuerFor(world)
    await admin.settings.change({ changes: { WORKLOAD_ISSUERS: issuer.url } })
    const given = {
      name: 'Nightly triage',
      issuer: issuer.url,
      subject: SUBJECT,
      claims: 'environment=a=b\n\nref = main\n',
    }
    const none = await submit(alice, `${HERE}?/letIn`, given)
    assert.equal(none.status, 400)
    const refused = /class="error">([^<]+)</.exec(await none.text())?.[1]
    assert.match(refused ?? '', /at least 1 entry/)
    const wrong = await submit(alice, `${HERE}?/letIn`, {
      ...given,
      claims: 'environment',
      'scope community:read': 'on',
    })
    assert.equal(wrong.status, 400)
    assert.deepEqual((await alice.workloads.list()).items, [])

    const made = await submit(alice, `${HERE}?/letIn`, { ...given, 'scope community:read': 'on' })
    const { items } = await alice.workloads.list()
    assert.deepEqual(
      items.map(({ name, subject, claims, scopes }) => ({ name, subject, claims, scopes })),
      [
        {
          ...{ name: 'Nightly triage', subject: SUBJECT, scopes: ['community:read'] },
          claims: { environment: 'a=b', ref: 'main' },
        },
      ],
    )
    const { id } = items[0]!
    assert.ok((await made.text()).includes(id), 'the id is shown, for the program')
    const page = await (await alice.request(HERE)).text()
    assert.ok(page.includes(SUBJECT) && page.includes('Nightly triage'))

    await admin.settings.change({ changes: { WORKLOAD_ISSUERS: 'off' } })
    assert.ok((await (await alice.request(HERE)).text()).includes(SUBJECT), 'what is there can still be ended')
    const shut = await submit(alice, `${HERE}?/shutOut`, { id, name: 'Nightly triage' })
    assert.match(await shut.text(), /Nightly triage is no longer let in/)
    assert.deepEqual((await alice.workloads.list()).items, [])
    assert.equal((await submit(alice, `${HERE}?/shutOut`, { id, name: 'Nightly triage' })).status, 404)
  })
})
