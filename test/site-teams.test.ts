// Teams on the site, as browsers without script use them; and the form of an item for an admin who maintains it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { workflowFile } from './library.ts'
import { join, named, publish } from './owners.ts'
import { known, publishFor, SLUG, teamOf } from './teams.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()

onEveryEngine('teams on the site', (it) => {
  it('are made, filled, renamed and left by forms', async (world) => {
    const { alice, bob, anonymous } = world
    await known(world, alice, 'alice')
    await named(bob, 'bobby')
    assert.match(await page(alice, '/settings/teams'), /No teams yet/)
    const made = await submit(alice, '/settings/teams?/create', { name: 'Night shift', slug: SLUG, description: '' })
    assert.ok(made.status < 400, `${made.status}`)
    await submit(alice, `/teams/${SLUG}/edit?/invite`, { username: 'bobby', role: 'member' })
    assert.match(await page(alice, `/teams/${SLUG}/edit`), /Open invitations[\s\S]*bobby/)
    assert.match(await page(bob, '/library/invitations'), /invites you to join this team/)
    const [invitation] = (await bob.library.invitations()).items
    await submit(bob, '/library/invitations?/join', { id: invitation!.id, team: SLUG })
    assert.match(await page(bob, '/library/upload'), /<option value="night-shift">Night shift<\/option>/)
    assert.match(await page(bob, `/library/upload?team=${SLUG}`), /<option value="night-shift" selected/)
    const item = await publishFor(bob)
    const secret = await publishFor(bob, SLUG, 'private', 'Secret digest')
    const shown = await page(anonymous, `/teams/${SLUG}`)
    for (const part of [/Night shift/, /alice[\s\S]*owner/, /bobby[\s\S]*member/, /Digest/]) assert.match(shown, part)
    assert.doesNotMatch(shown, /Secret digest|People and settings/)
    assert.match(await page(alice, `/teams/${SLUG}`), /Secret digest/)
    assert.match(await page(alice, '/library?scope=maintained'), /Secret digest/)
    const path = new URL(item.url).pathname
    assert.match(await page(anonymous, path), /for (?:<!--[^>]*-->)*<a href="\/teams\/night-shift">Night shift<\/a>/)
    assert.match(await page(alice, `${path}/owners`), /belongs to the team/)
    assert.doesNotMatch(await page(alice, `${path}/owners`), /Send invitation/)
    assert.match(await page(bob, new URL(secret.url).pathname), /Only the people of Night shift can see this/)
    const saved = { name: 'Late shift', description: 'Later', new_slug: 'late-shift' }
    await submit(alice, `/teams/${SLUG}/edit?/save`, saved)
    const former = await anonymous.request(`/teams/${SLUG}`, { redirect: 'manual' })
    assert.deepEqual([former.status, former.headers.get('location')], [301, '/teams/late-shift'])
    await submit(bob, '/teams/late-shift?/leave', { account: (await bob.account()).id })
    assert.doesNotMatch(await page(anonymous, '/teams/late-shift'), /<span>member<\/span>/)
    assert.equal((await bob.request('/teams/late-shift/edit')).status, 403)
    const refused = await submit(alice, '/teams/late-shift?/leave', { account: (await alice.account()).id })
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), /<details class="disclosure" open[^>]*>[\s\S]*role="alert"/, 'a refusal is seen')
    assert.equal((await anonymous.request('/teams/nothing')).status, 404)
  })

  it('take over items, and give them away', async (world) => {
    const { alice } = world
    const { dave } = await teamOf(world)
    const { id, url } = await publish(dave)
    const path = new URL(url).pathname
    await submit(dave, `${path}/owners?/offer`, { team: SLUG })
    assert.match(await page(dave, `${path}/owners`), /Open invitations[\s\S]*Night shift/)
    assert.match(await page(alice, '/library/invitations'), /offers it to Night shift/)
    const [offer] = (await alice.library.invitations()).items
    await submit(alice, '/library/invitations?/accept', { id: offer!.id, team: SLUG })
    assert.equal((await alice.library.get({ id })).team?.slug, SLUG)
    await submit(alice, `${path}/owners?/transfer`, { username: 'dave' })
    assert.match(await page(dave, '/library/invitations'), /offers you to take it over/)
  })

  it('are managed by moderators with a reason', async (world) => {
    const { moderator } = world
    await teamOf(world)
    const shown = await page(moderator, `/teams/${SLUG}/edit`)
    assert.match(shown, /name="reason"/)
    assert.doesNotMatch(shown, /Send invitation/)
    await submit(moderator, `/teams/${SLUG}/edit?/save`, { name: 'N', description: '', new_slug: SLUG, reason: 'Rude' })
    assert.equal((await moderator.teams.get({ slug: SLUG })).name, 'N')
    assert.match(await page(world.bob, `/report?type=team&id=x`), /Report this team/)
  })
})

onEveryEngine('the edit page of an item', (it) => {
  it('has its form for an admin who maintains it, and the official mark alone for one who does not', async (world) => {
    const { alice, admin } = world
    await named(alice, 'alice')
    await named(admin, 'adam')
    const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    const path = new URL(item.url).pathname
    assert.match(await page(admin, path), /Manage as admin/)
    assert.match(await page(admin, `${path}/edit`), /Make official/)
    assert.doesNotMatch(await page(admin, `${path}/edit`), /Publish a new version/)
    await join(alice, item.id, admin, 'adam', 'maintainer')
    assert.match(await page(admin, path), /Edit \/ New version/)
    const shown = await page(admin, `${path}/edit`)
    assert.match(shown, /Publish a new version/)
    assert.doesNotMatch(shown, /Make official/)
    await submit(admin, `${path}/edit?/save`, {
      ...{ name: 'Better', description: 'Said better', tags: '', visibility: 'official', seen: item.updated_at },
    })
    const { name, visibility } = await alice.library.get({ id: item.id })
    assert.deepEqual([name, visibility], ['Better', 'official'])
  })
})
