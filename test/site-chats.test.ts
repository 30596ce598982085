// Chats on the site, as browsers without script use it: the preview of what a webhook sends, and the link of a user of a chat.
import assert from 'node:assert/strict'
import { CHAT_SETTINGS, codeIn, saidTo, slackRequest } from './chats.ts'
import { submit } from './form.ts'
import { onEveryEngine, type Person } from './world.ts'

const ADDRESS = 'https://hooks.slack.example/services/T000/B000/verysecret'

const page = async (person: Person, path: string, headers = {}) => (await person.request(path, { headers })).text()

onEveryEngine('a webhook of a chat on the site', (it) => {
  it('is previewed with what was typed, which stays, and added after that', async ({ admin }) => {
    const fields = {
      ...{ url: ADDRESS, description: '', format: 'slack', template: '{event}: {title}', token: 'hidden-token' },
      preview: 'create',
    }
    const shown = await (await submit(admin, '/admin/webhooks?/preview', fields)).text()
    assert.match(shown, /A comment was written: The digest is late/)
    assert.ok(shown.includes(`value="${ADDRESS}"`), 'what was typed stays')
    assert.ok(!shown.includes('hidden-token'), 'but for a token')
    assert.deepEqual((await admin.webhooks.list({})).items, [])
    const wrong = await submit(admin, '/admin/webhooks?/preview', { ...fields, template: '{secret}' })
    assert.match(await wrong.text(), /nothing else in braces/i)
    const added = await submit(admin, '/admin/webhooks?/create', { ...fields, token: '' })
    assert.equal(added.status, 303)
    const one = await page(admin, added.headers.get('location') ?? '')
    assert.ok(one.includes('https://hooks.slack.example/…') && !one.includes('verysecret'))
    assert.ok(!one.includes('?/rotate'), 'it has no secret that signs')
    // Nothing but the address is needed, and Enter adds.
    const fresh = await page(admin, '/admin/webhooks')
    assert.doesNotMatch(fresh, /<(?:textarea|input)[^>]*name="(?:template|token)"[^>]*required/)
    assert.ok(fresh.indexOf('Add webhook</button>') < fresh.indexOf('formaction="?/preview"'))
    const german = await page(admin, '/admin/webhooks', { 'Accept-Language': 'de' })
    assert.match(german, /Worte der Nachricht/)
  })

  it('keeps its address when its page is saved, and takes other words', async ({ admin }) => {
    const { id, url } = await admin.webhooks.create({ url: ADDRESS, format: 'slack' })
    const path = `/admin/webhooks/${id}`
    const previewed = await submit(admin, `${path}?/preview`, {
      format: 'slack',
      url,
      template: '{board}',
      preview: 'save',
    })
    assert.match(await previewed.text(), /Main/)
    await submit(admin, `${path}?/save`, { url, description: 'Ours', template: '{title}' })
    const [saved] = (await admin.webhooks.list({})).items
    assert.deepEqual([saved?.url, saved?.description, saved?.template], [url, 'Ours', '{title}'])
    await submit(admin, `${path}?/save`, { url, description: 'Ours', template: ' ' })
    assert.equal((await admin.webhooks.list({})).items[0]?.template, null)
  })
})

onEveryEngine(
  'the link of a chat on the site',
  (it) => {
    it('says who asks, is confirmed by a press, and ended', async (world) => {
      const { alice, bob, anonymous } = world
      const request = slackRequest(world, 'link', { user_name: '<b>mira' })
      const path = `/settings/chat?code=${codeIn(await saidTo(world, request))}`
      const signIn = await anonymous.request(path, { redirect: 'manual' })
      assert.ok(decodeURIComponent(signIn.headers.get('location') ?? '').endsWith(path), 'the address is kept')
      const asked = await page(alice, path)
      assert.match(asked, /&lt;b>mira, acme on Slack asks to act for your account/)
      assert.deepEqual((await alice.chatLinks.list()).items, [], 'to look at it confirms nothing')
      const code = new URL(path, 'http://x').searchParams.get('code') ?? ''
      assert.equal((await submit(alice, `${path}&/confirm`, { code })).status, 303)
      const next = `/settings/chat?code=${codeIn(await saidTo(world, slackRequest(world, 'link', { x: '2' })))}`
      const form = /action="(\?code=[\w-]+&amp;\/confirm)"/.exec(await page(bob, next))?.[1] ?? ''
      const refused = await submit(bob, `/settings/chat${form.replace('&amp;', '&')}`, {
        code: next.split('=')[1] ?? '',
      })
      assert.match(await refused.text(), /acts for another account/)
      const [link] = (await alice.chatLinks.list()).items
      assert.ok(link)
      assert.match(await page(alice, path), /too old or was used|asks to act/)
      assert.match(await page(alice, '/settings/chat', { 'Accept-Language': 'de' }), /Benutzer von Slack und Discord/)
      assert.equal((await submit(alice, '/settings/chat?/remove', { id: link.id })).status, 303)
      assert.deepEqual((await alice.chatLinks.list()).items, [])
      assert.match(await page(alice, '/settings/chat?code=x'), /too old or was used/)
    })
  },
  CHAT_SETTINGS,
)
