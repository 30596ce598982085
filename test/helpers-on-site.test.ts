// The helpers of apps on the page of their account, as a browser without script uses it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { AGENT, oauthClient } from './oauth.ts'
import { onEveryEngine, type World } from './world.ts'

const PAGE = '/settings/apps'

/** An agent with two helpers, one below the other, and one beside them; their tokens. */
async function handedOn(world: World) {
  const client = oauthClient(world)
  const { access_token: agent } = await client.signIn(world.alice, { clientId: AGENT, scope: 'community:read' })
  const handOn = async (subject_token: string, helper_name: string) => {
    const type = 'urn:ietf:params:oauth:token-type:access_token'
    const form = { client_id: AGENT, subject_token, subject_token_type: type, helper_name }
    return (await client.token({ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', ...form })).access_token
  }
  const above = await handOn(agent, 'Reader')
  const tokens = { agent, above, below: await handOn(above, 'Typist <b>'), beside: await handOn(agent, 'Other') }
  const work = async () => Promise.all(Object.values(tokens).map(async (token) => (await client.call(token)).status))
  return { work }
}

const endOf = (page: string, name: string) => {
  const from = page.indexOf(`<strong>“${name}”</strong>`)
  assert.ok(from > 0, `${name} is not on the page`)
  const [, helperId] = /name="helperId" value="([^"]+)"/.exec(page.slice(from))!
  const [, id] = /name="id" value="([^"]+)"/.exec(page.slice(from))!
  return { id: id!, helperId: helperId!, name }
}

onEveryEngine('the page of apps', (it) => {
  it('shows helpers below those who handed on, and ends one with all below it by one form', async (world) => {
    const { alice } = world
    const { work } = await handedOn(world)
    const page = await (await alice.request(PAGE)).text()
    assert.equal(page.includes('<b>'), false)
    const [reader, typist] = ['Reader', 'Typist &lt;b>'].map((name) => page.indexOf(`<strong>“${name}”</strong>`))
    assert.ok(reader! > 0 && typist! > reader!, 'the one below comes after')
    const between = page.slice(reader, typist)
    assert.match(between, /<ul class="closed/, 'in a list of the item of the one above')
    assert.equal(between.split('<li').length - between.split('</li>').length, 1)
    assert.match(page, /Handed on to helpers: 3/)
    assert.match(page, /Not used yet/)
    assert.deepEqual(await work(), [200, 200, 200, 200])
    const ended = await submit(alice, `${PAGE}?/endHelper`, endOf(page, 'Reader'))
    assert.match(await ended.text(), /Handed on to helpers: 1/)
    assert.deepEqual(await work(), [200, 401, 401, 200])
    assert.equal((await submit(alice, `${PAGE}?/endHelper`, endOf(page, 'Reader'))).status, 404)
    const [app] = (await alice.signIns.list()).items
    await submit(alice, `${PAGE}?/end`, { id: app!.id, name: 'The agent' })
    assert.deepEqual(await work(), [401, 401, 401, 401])
  })

  it('says the same in German', async (world) => {
    await handedOn(world)
    const headers = { 'Accept-Language': 'de', Accept: 'text/html' }
    const page = await (await world.alice.request(PAGE, { headers })).text()
    assert.match(page, /An Helfer weitergegeben: 3/)
    assert.match(page, /Mit allen darunter beenden/)
    assert.match(page, /bis zu einer Stunde/)
  })

  it('names the helper that wrote something, beside its agent', async (world) => {
    const client = oauthClient(world)
    const scope = 'community:read community:write'
    const { access_token } = await client.signIn(world.alice, { clientId: AGENT, scope })
    const { access_token: token } = await client.token({
      ...{
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: AGENT,
        subject_token: access_token,
      },
      ...{ subject_token_type: 'urn:ietf:params:oauth:token-type:access_token', helper_name: 'Reader' },
    })
    const made = await client.send('/api/community/posts', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Out', body: 'It is' }),
    })
    const { id } = (await made.json()) as { id: string }
    const page = await (await world.bob.request(`/community/posts/${id}`)).text()
    assert.match(page, /via [^<]*› “Reader”/)
  })
})
