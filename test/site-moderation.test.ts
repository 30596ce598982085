// Reporting, deciding and appealing on the site, as browsers without script do it; an agent reports by MCP.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { callTool, LEGACY, tokenOf } from './mcp/caller.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()

onEveryEngine('the page of the audit log', (it) => {
  it('says what was done in words, with titles for ids', async ({ alice, moderator, admin }) => {
    const bug = await alice.bugs.create({ title: 'The clock', description: 'D', severity: 'low' })
    await moderator.bugs.triage({ id: bug.id, status: 'in_progress' })
    const comment = await alice.bugs.comment({ id: bug.id, body: 'Buy this' })
    await moderator.bugs.deleteComment({ id: bug.id, commentId: comment.id })
    await admin.changelog.create({ title: 'Out', body: 'It is', closes: '1' })
    const log = await page(admin, '/admin/audit')
    assert.match(log, />Status: Open → In progress</)
    assert.match(log, />On: bug · Of: The clock</)
    assert.match(log, />Closes: #1</)
    const german = await admin.request('/admin/audit', { headers: { 'Accept-Language': 'de' } })
    assert.match(await german.text(), />Status: Offen → In Arbeit</)
  })
})

onEveryEngine('the first page of a member', (it) => {
  it('says welcome, and welcome back to who was here before', async ({ alice, anonymous }) => {
    await alice.account()
    const shown = async (headers = {}) => (await alice.request('/', { headers })).text()
    assert.match(await shown(), /<h1>Welcome, alice<\/h1>/)
    assert.match(await shown({ 'Accept-Language': 'de' }), /<h1>Willkommen, alice<\/h1>/)
    const signedIn = await anonymous.request('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: alice.email, password: 'alice has a password' }),
    })
    const session = signedIn.headers.getSetCookie().map((line) => line.split(';')[0])
    const hourAgo = Date.now() - 3_600_000
    const Cookie = [...session, `visits=${hourAgo}.${hourAgo}`].join('; ')
    assert.match(await shown({ Cookie }), /<h1>Welcome back, alice<\/h1>/)
  })
})

onEveryEngine('moderation on the site', (it) => {
  it('has no page for a report of nothing, and none for an appeal without its link', async ({ alice, anonymous }) => {
    await alice.account()
    for (const path of ['/report', '/report?type=post&id=x', '/report?type=none&id=x', '/report?type=user&id=']) {
      assert.equal((await alice.request(path)).status, 404, path)
    }
    assert.equal((await anonymous.request('/appeal')).status, 404)
    const forged = await anonymous.request('/appeal?token=x')
    assert.equal(forged.status, 404)
    assert.match(await forged.text(), /No such notice/)
    for (const token of ['x'.repeat(201), 'x.y', '.'])
      assert.equal((await anonymous.request(`/appeal?token=${token}`)).status, 404, token)
  })

  it('shows the number of a draft as text: nothing is there until it is published', async ({ moderator }) => {
    const draft = await moderator.changelog.create({ title: 'Soon', body: 'Not yet', draft: true })
    const shown = await page(moderator, `/community/changelog/${draft.id}`)
    assert.ok(
      shown.includes(`<span class="quiet number">#${draft.number}</span>`) &&
        !shown.includes(`href="/community/${draft.number}"`),
    )
  })

  it('lets the author of an org of the gallery have webhooks, as the API does', async ({ alice, bob }) => {
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'one' }] }) })
    const path = `/library/orgs/${org.slug}/webhooks`
    assert.match(await page(alice, `/community/orgs/${org.slug}/edit`), new RegExp(`href="${path}"`))
    assert.equal((await alice.request(path)).status, 200)
    await bob.account()
    assert.equal((await bob.request(path)).status, 403)
    assert.equal((await alice.library.get({ id: org.id })).can.webhooks, true)
  })

  it("says in both languages for whom a case waits, and offers no decision of one's own case", async (world) => {
    const { alice, moderator, admin } = world
    const { id } = await moderator.posts.create({ title: 'Mine', body: 'Mine' })
    await alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    const path = `/admin/cases/${waiting!.id}`
    const alone = await page(moderator, path)
    assert.match(alone, /there is no other moderator\. The operator of this server can decide it/)
    assert.doesNotMatch(alone, /\?\/decide/)
    await admin.account()
    assert.match(await page(moderator, path), /Another moderator will decide it/)
    assert.match(await page(admin, path), /\?\/decide/)
    await moderator.language.set({ language: 'de' })
    assert.match(await page(moderator, path), /Ein anderes Mitglied der Moderation entscheidet/)
  })

  it('shows what was reported when its author has edited and deleted it', async (world) => {
    const { alice, bob, moderator } = world
    const { id } = await bob.posts.create({ title: 'Vile', body: 'Vile **words**' })
    await alice.reports.create({ targetType: 'post', targetId: id, reason: 'abuse' })
    const [waiting] = (await moderator.moderation.cases({})).items
    const path = `/admin/cases/${waiting!.id}`
    assert.doesNotMatch(await page(moderator, path), /As it was reported/)
    await bob.posts.edit({ id, body: 'Kind words' })
    assert.match(await page(moderator, path), /Kind words[\s\S]*As it was reported[\s\S]*Vile <strong>words/)
    await bob.posts.delete({ id })
    const gone = (await page(moderator, path)).replaceAll(/<!--.*?-->/g, '')
    assert.match(gone, /<h2>Vile<\/h2>[\s\S]*deleted[\s\S]*Vile <strong>words/)
    assert.match(gone, /value="block"/)
    assert.doesNotMatch(gone, /value="hide"/)
  })

  it('goes from a report to a decision, a notice, an appeal and its decision', async (world) => {
    const { alice, bob, moderator, anonymous, app, person } = world
    const { id } = await bob.posts.create({ title: 'Cheap watches', body: 'From 9.90\n\n- [ ] **gold**' })
    const here = `/community/posts/${id}`
    const form = `/report?type=post&id=${id}&back=${encodeURIComponent(here)}`
    assert.match(await page(alice, here), /\/report\?type=post/)
    assert.doesNotMatch(await page(bob, here), /\/report\?type=post/)
    assert.match(await page(alice, form), /Spam or advertising/)
    const fields = { type: 'post', id, reason: 'spam', text: 'In five places', back: here }
    const reported = await submit(alice, `/report?/report&type=post&id=${id}`, fields)
    assert.match(await reported.text(), /Thank you/)
    const again = await submit(alice, `/report?/report&type=post&id=${id}`, fields)
    assert.match(await again.text(), /reported this already/)
    const token = await tokenOf(world, person('agent'))
    const input = { targetType: 'post', targetId: id, reason: 'off_topic' }
    const answer = await callTool(app, 'call_operation', { name: 'reports.create', input }, { era: LEGACY, token })
    assert.equal(answer.isError, undefined)

    assert.equal((await alice.request('/admin/cases')).status, 403)
    assert.match(await page(moderator, '/admin/cases'), /Cheap watches[\s\S]*From 9.90 ☐ gold<[\s\S]*2 reports/)
    const [waiting] = (await moderator.moderation.cases({})).items
    const queue = `/admin/cases/${waiting!.id}`
    assert.match(await page(moderator, queue), /From 9.90[\s\S]*<strong>gold<\/strong>[\s\S]*In five places/)
    assert.match(await page(moderator, queue), new RegExp(`<h2>.*<a href="${here}">Cheap watches</a>`))
    const empty = { action: 'hide', rule: 'spam', reason: '' }
    assert.match(await (await submit(moderator, `${queue}?/decide`, empty)).text(), /must be given/i)
    await submit(moderator, `${queue}?/decide`, { ...empty, reason: 'Advertising' })
    await app.deliver()

    assert.equal((await anonymous.request(here)).status, 404)
    assert.doesNotMatch(await page(anonymous, '/community/posts'), /Cheap watches/)
    assert.match(await page(bob, here), /A moderator hid this/)
    assert.match(await page(bob, '/notifications'), /Cheap watches[\s\S]*Advertising[\s\S]*The moderators decided/)
    const [notice] = (await bob.notifications.list({})).items
    assert.match(await page(bob, notice!.url), /Advertising[\s\S]*Why it is wrong/)
    assert.equal((await alice.request(notice!.url)).status, 404)
    assert.match(await page(bob, '/moderation/notices'), /Hidden: Cheap watches[\s\S]*Advertising/)
    assert.match(await page(alice, '/moderation/notices'), /No notices/)
    assert.match(await page(moderator, queue), /href="\/admin\/cases" aria-current="page"/)
    await submit(bob, `${notice!.url}?/appeal`, { text: 'They tell the time of workflows' })
    assert.match(await page(bob, notice!.url), /A moderator decides it/)
    assert.match(await page(bob, '/moderation/notices'), /appeal waits for a moderator/)
    assert.match(await page(moderator, '/admin/cases'), /1 appeal/)
    const [appealed] = (await moderator.moderation.cases({})).items
    const act = notice!.notice!.id
    const decision = { act, granted: 'true', reason: 'Fine' }
    await submit(moderator, `/admin/cases/${appealed!.id}?/appeal`, decision)
    await app.deliver()

    assert.equal((await anonymous.request(here)).status, 200)
    assert.match(await page(bob, notice!.url), /It was granted\.[\s\S]*Fine/)
    assert.match(await page(bob, '/moderation/notices'), /appeal granted/)
    const decided = await page(moderator, '/admin/cases?state=closed')
    assert.equal(decided.match(/<h3>/g)?.length, 1, 'one row for a thing that was decided twice')
    const log = await page(anonymous, '/moderation')
    assert.match(log, /Hidden: post[\s\S]*undone[\s\S]*appeal granted/)
    assert.doesNotMatch(log, /Cheap watches|Advertising|bob/)
  })

  it('takes an appeal by the link in the mail about a block', async (world) => {
    const { bob, anonymous, moderator, mails, db } = world
    const { id } = await bob.account()
    await db.updateTable('user').set({ emailVerifiedAt: new Date().toISOString() }).where('id', '=', id).execute()
    await moderator.admin.block({ id, blocked: true, reason: 'Spam' })
    const { body } = (await mails(bob.email)).at(-1)!
    const link = new URL(body.match(/https?:\S+token=\S+/)![0])
    const form = link.pathname + link.search
    assert.match(await page(anonymous, form), /Appeal against a block/)
    assert.match(await (await submit(anonymous, form, { text: '' })).text(), /aria-invalid="true"/)
    const sent = await submit(anonymous, form, { text: 'Not me' })
    assert.equal(sent.headers.get('location'), '/appeal?sent')
    assert.match(await page(anonymous, '/appeal?sent'), /A moderator decides it/)
    assert.match(await (await submit(anonymous, form, { text: 'Not me' })).text(), /an appeal against this already/)
    const used = await anonymous.request(form, { headers: { 'Accept-Language': 'de' } })
    assert.match(await used.text(), /Dagegen gibt es schon einen Einspruch\./)
    assert.doesNotMatch(await page(anonymous, form), /<textarea/)
    assert.equal((await moderator.moderation.cases({})).items[0]?.appealCount, 1)
  })

  it('takes an appeal of who is blocked alone', async (world) => {
    const { bob, anonymous, moderator, mails, db } = world
    const { id } = await bob.account()
    await db.updateTable('user').set({ emailVerifiedAt: new Date().toISOString() }).where('id', '=', id).execute()
    await moderator.admin.block({ id, blocked: true, reason: 'Spam' })
    const [form = '', token = ''] = (await mails(bob.email)).at(-1)!.body.match(/\/appeal\?token=(\S+)/)!
    assert.match(await page(anonymous, form), /<textarea/)
    await moderator.admin.block({ id, blocked: false })
    const over = await page(anonymous, form)
    assert.match(over, /This account is not blocked\./)
    assert.doesNotMatch(over, /<textarea/)
    await assert.rejects(anonymous.moderation.appealByLink({ token, text: 'Not me' }), { status: 409 })
    assert.equal((await moderator.moderation.cases({})).waiting, 0)
  })
})

onEveryEngine(
  'what waits for approval, on the site',
  (it) => {
    it('is shown to its author after it was sent, and to moderators, and can be deleted', async (world) => {
      const { alice, bob, moderator, anonymous } = world
      const { id } = await bob.posts.create({ title: 'Open', body: 'B' })
      const here = `/community/posts/${id}`
      const sent = await submit(alice, `${here}?/comment`, { body: 'Buy at https://shop.example', parentId: '' })
      assert.equal(sent.status, 303)
      const location = sent.headers.get('location')!
      assert.match(location, /\?comment=[\w-]+#comment-[\w-]+$/)
      const shown = await page(alice, location)
      assert.match(shown, /This waits for a moderator to approve it[\s\S]*Buy at/)
      assert.match(shown, /No comments yet/)
      const [waiting] = (await moderator.moderation.cases({})).items
      const place = await moderator.request(waiting!.target.url, { redirect: 'manual' })
      assert.equal(place.headers.get('location'), location)
      assert.match(await page(moderator, location), /Buy at/)
      assert.match(await page(moderator, '/admin/cases'), /Buy at[\s\S]*waits for approval/)
      for (const reader of [anonymous, bob]) {
        assert.doesNotMatch(await page(reader, location), /Buy at|waits for a moderator/)
      }
      const commentId = waiting!.target.id
      assert.equal((await submit(alice, `${here}?/deleteComment`, { commentId })).status, 200)
      assert.doesNotMatch(await page(alice, location), /Buy at/)
    })
  },
  { HOLD_LINKS_HOURS: '24' },
)
