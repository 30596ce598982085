// Items of teams: who may do what with them, and how they come and go.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { CONFLICT, FORBIDDEN, join, NOT_FOUND, named, newVersion, publish } from '../../../test/owners.ts'
import { joinTeam, known, publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { type It, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_ITEMS } from '../holders/rules.ts'

const bytesOf = async ({ db }: World, accountId: string) =>
  (await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', accountId).executeTakeFirst())?.bytes ?? 0

const rights = (it: It) => {
  it('come from the team alone: members publish, owners decide', async (world) => {
    const { alice, bob, anonymous, admin, moderator } = world
    const { dave, carol, bobId } = await teamOf(world)
    const item = await publishFor(bob)
    const { id } = item
    assert.deepEqual([item.owner.id, item.team], [bobId, { slug: SLUG, name: 'Night shift' }])
    const edits = { edit: true, delete: false, manage: false, webhooks: false }
    const decides = { edit: true, delete: true, manage: true, webhooks: true }
    const expected = new Map([
      ...[[bob, edits] as const, [alice, decides] as const, [carol, decides] as const],
      ...[[dave, { edit: false, delete: false, manage: false, webhooks: false }] as const],
      ...[[admin, { edit: true, delete: true, manage: false, webhooks: false }] as const],
    ])
    for (const [person, can] of expected) {
      const { can: found } = await person.library.get({ id })
      assert.deepEqual(found, can, person.email)
    }
    const refused = (person: Person) => [
      () => person.library.update({ id, visibility: 'private' }),
      () => person.library.delete({ id }),
      () => person.library.rename({ id, slug: 'other' }),
      () => person.library.transfer({ id, username: 'dave' }),
      () => person.itemWebhooks.create({ itemId: id, url: 'https://example.com/hook' }),
    ]
    for (const call of refused(bob)) await assert.rejects(call(), FORBIDDEN)
    const alsoRefused = (person: Person) => [
      () => newVersion(person, id),
      () => person.library.update({ id, description: 'Mine' }),
    ]
    for (const person of [dave, moderator]) {
      for (const call of [...refused(person), ...alsoRefused(person)]) await assert.rejects(call(), FORBIDDEN)
    }
    for (const call of [...refused(anonymous), ...alsoRefused(anonymous)]) await assert.rejects(call(), { status: 401 })
    for (const person of [alice, bob, carol]) {
      const { version } = await newVersion(person, id)
      await person.library.yank({ id, version, yanked: true })
      await person.library.deprecate({ id, deprecated: true, message: 'Old' })
      await person.library.deprecate({ id, deprecated: false })
      await person.library.update({ id, description: person.email })
    }
    for (const call of refused(carol).slice(2)) await call()
    const [offer] = (await alice.library.maintainers({ id })).invitations ?? []
    await alice.library.endInvitation({ id: offer!.id })
    await carol.library.update({ id, visibility: 'private' })
    await carol.library.delete({ id })
  })

  it('are shown: the team, its people, and since when', async (world) => {
    const { bob, anonymous, alice } = world
    const { dave } = await teamOf(world)
    const { id, created_at } = await publishFor(bob)
    await joinTeam(alice, { slug: SLUG, username: 'dave' }, dave)
    const { items, team } = await anonymous.library.maintainers({ id })
    assert.deepEqual(
      items.map(({ account, role, holder }) => [account.username, role, holder]),
      [
        ['alice', 'owner', false],
        ['bobby', 'maintainer', true],
        ['carol', 'owner', false],
        ['dave', 'maintainer', false],
      ],
    )
    assert.equal(items[0]!.since, created_at)
    assert.ok(items[3]!.since > created_at)
    assert.deepEqual(team, { slug: SLUG, name: 'Night shift' })
    const { items: found } = await anonymous.library.list({})
    assert.deepEqual(found[0]?.team, team)
    await alice.teams.update({ slug: SLUG, new_slug: 'late-shift', name: 'Late shift' })
    assert.deepEqual((await anonymous.library.get({ id })).team, { slug: 'late-shift', name: 'Late shift' })
  })

  it('are not those of single accounts', async (world) => {
    const { alice, bob } = world
    const { bobId, carolId } = await teamOf(world)
    const { id } = await publishFor(bob)
    await assert.rejects(alice.library.addMaintainer({ id, username: 'dave' }), CONFLICT)
    await assert.rejects(alice.library.setMaintainerRole({ id, accountId: bobId, role: 'owner' }), CONFLICT)
    await assert.rejects(alice.library.removeMaintainer({ id, accountId: carolId }), CONFLICT)
    await assert.rejects(bob.library.removeMaintainer({ id, accountId: bobId }), CONFLICT)
  })

  it('on a private one are those of its people', async (world) => {
    const { alice, bob, anonymous, admin } = world
    const { carol, dave } = await teamOf(world)
    const { id } = await publishFor(bob, SLUG, 'private')
    for (const person of [alice, bob, carol]) assert.equal((await person.library.get({ id })).id, id)
    for (const person of [dave, admin, anonymous]) await assert.rejects(person.library.get({ id }), NOT_FOUND)
    for (const [person, count] of [
      [alice, 1],
      [bob, 1],
      [dave, 0],
      [anonymous, 0],
    ] as const)
      assert.equal((await person.teams.get({ slug: SLUG })).item_count, count)
  })
}

const publishing = (it: It) => {
  it('for a team is for its members', async (world) => {
    const { anonymous, admin } = world
    const { dave } = await teamOf(world)
    for (const person of [dave, admin]) await assert.rejects(publishFor(person), FORBIDDEN)
    await assert.rejects(publishFor(anonymous), { status: 401 })
    await assert.rejects(publishFor(dave, 'nothing'), NOT_FOUND)
    assert.equal((await dave.library.list({ scope: 'mine' })).total, 0)
  })

  it('counts its bytes for who published, and those of later versions too', async (world) => {
    const { bob, carol } = { ...world, ...(await teamOf(world)) }
    const bobId = (await bob.account()).id
    const { id, size } = await publishFor(bob)
    assert.equal(await bytesOf(world, bobId), size)
    const { size: next } = await newVersion(carol, id)
    assert.equal(await bytesOf(world, bobId), size + next)
    assert.equal(await bytesOf(world, (await carol.account()).id), 0)
  })

  it(`ends at ${MAX_ITEMS} items`, async (world) => {
    const { bob, db, alice } = world
    const { team } = await teamOf(world)
    const { id } = await publishFor(bob)
    const { rowId: _row, ...row } = await db
      .selectFrom('libraryItem')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: MAX_ITEMS - 2 }, (_, at) => ({ ...row, id: `item-${at}`, slug: `item-${at}` }))
    while (rows.length > 0) await db.insertInto('libraryItem').values(rows.splice(0, 50)).execute()
    assert.equal((await alice.teams.get({ slug: SLUG })).item_count, MAX_ITEMS - 1)
    const published = await Promise.allSettled([publishFor(bob), publishFor(alice)])
    assert.equal(published.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(publishFor(alice), CONFLICT)
    const own = await publish(alice)
    const offer = await alice.library.transfer({ id: own.id, team: SLUG })
    await assert.rejects(alice.library.acceptInvitation({ id: offer.id }), CONFLICT)
    assert.equal(
      (await db.selectFrom('libraryItem').select('id').where('teamId', '=', team.id).execute()).length,
      MAX_ITEMS,
    )
  })
}

const transfers = (it: It) => {
  it('to a team are accepted by one of its owners; then only its people have a role', async (world) => {
    const { alice, bob, app, anonymous } = world
    const { dave, daveId, carol, carolId } = await teamOf(world)
    const { id, size } = await publish(dave)
    const [erin, frank] = [world.person('erin'), world.person('frank')]
    await named(erin, 'erin')
    await named(frank, 'frank')
    await join(dave, id, frank, 'frank', 'owner')
    await dave.itemWebhooks.create({ itemId: id, url: 'https://example.com/hook' })
    await dave.library.addMaintainer({ id, username: 'erin' })
    const offer = await dave.library.transfer({ id, team: SLUG })
    assert.deepEqual([offer.team?.slug, offer.account, offer.item?.id, offer.role], [SLUG, undefined, id, 'transfer'])
    await app.deliver()
    for (const owner of [alice, carol]) {
      assert.deepEqual((await owner.library.invitations()).items, [offer])
      assert.equal((await owner.notifications.list({})).items[0]?.invitation?.role, 'transfer')
    }
    assert.deepEqual((await bob.library.invitations()).items, [])
    for (const person of [bob, dave]) await assert.rejects(person.library.acceptInvitation({ id: offer.id }), NOT_FOUND)
    await assert.rejects(dave.library.transfer({ id, username: 'bobby' }), CONFLICT)
    const taken = await carol.library.acceptInvitation({ id: offer.id })
    assert.deepEqual([taken.team?.slug, taken.owner.id, taken.can.manage], [SLUG, carolId, true])
    for (const person of [dave, frank]) await assert.rejects(newVersion(person, id), FORBIDDEN)
    await newVersion(bob, id)
    assert.deepEqual([await bytesOf(world, daveId), (await bytesOf(world, carolId)) >= size], [0, true])
    assert.deepEqual((await dave.itemWebhooks.list({ itemId: id })).items, [])
    assert.deepEqual((await alice.library.maintainers({ id })).invitations, [])
    assert.deepEqual(
      (await anonymous.library.maintainers({ id })).items.map(({ account }) => account.username),
      ['alice', 'bobby', 'carol'],
    )
    await app.deliver()
    const told = (await dave.notifications.list({})).items.find(({ invitation }) => invitation?.id === offer.id)
    assert.equal(told?.invitation?.state, 'accepted')
  })

  it('to a team leave the bytes with who published the item and belongs to it', async (world) => {
    const { alice, bob } = world
    const { bobId } = await teamOf(world)
    const { id, size } = await publish(bob)
    const offer = await bob.library.transfer({ id, team: SLUG })
    const taken = await alice.library.acceptInvitation({ id: offer.id })
    assert.deepEqual([taken.owner.id, await bytesOf(world, bobId)], [bobId, size])
    assert.equal((await bob.library.get({ id })).can.manage, false)
  })

  it('from a team go to an account, or to another team', async (world) => {
    const { alice, bob, anonymous } = world
    const { dave, daveId, bobId } = await teamOf(world)
    const { id, size } = await publishFor(bob)
    await assert.rejects(bob.library.transfer({ id, username: 'dave' }), FORBIDDEN)
    await assert.rejects(alice.library.transfer({ id }), { status: 400, code: 'invalid_request' })
    await assert.rejects(alice.library.transfer({ id, username: 'dave', team: SLUG }), { status: 400 })
    await assert.rejects(alice.library.transfer({ id, team: SLUG }), CONFLICT)
    await assert.rejects(alice.library.transfer({ id, team: 'nothing' }), NOT_FOUND)
    const offer = await alice.library.transfer({ id, username: 'dave' })
    const taken = await dave.library.acceptInvitation({ id: offer.id })
    assert.deepEqual([taken.owner.id, taken.team, taken.can.manage], [daveId, undefined, true])
    assert.deepEqual([await bytesOf(world, bobId), await bytesOf(world, daveId)], [0, size])
    for (const person of [alice, bob]) await assert.rejects(newVersion(person, id), FORBIDDEN)
    await known(world, dave, 'dave')
    await dave.teams.create({ slug: 'day-shift', name: 'Day shift' })
    const own = await publishFor(bob, SLUG, 'public', 'Second')
    const second = await alice.library.transfer({ id: own.id, team: 'day-shift' })
    assert.equal((await dave.library.acceptInvitation({ id: second.id })).team?.slug, 'day-shift')
    assert.equal((await anonymous.library.list({ team: SLUG })).total, 0)
  })

  it('to a team that is deleted meanwhile happen before, or not at all', async (world) => {
    const { alice, bob } = world
    const { carol } = await teamOf(world)
    const { id } = await publish(bob)
    const offer = await bob.library.transfer({ id, team: SLUG })
    const [accepted, deleted] = await Promise.allSettled([
      carol.library.acceptInvitation({ id: offer.id }),
      alice.teams.delete({ slug: SLUG }),
    ])
    assert.notEqual(accepted.status, deleted.status)
    const { team } = await bob.library.get({ id })
    assert.equal(team?.slug, accepted.status === 'fulfilled' ? SLUG : undefined)
  })

  it('by an owner who is one no more are not accepted', async (world) => {
    const { alice, bob } = world
    const { carol, carolId, dave } = await teamOf(world)
    const { id } = await publishFor(bob)
    const offer = await carol.library.transfer({ id, username: 'dave' })
    await alice.teams.setRole({ slug: SLUG, accountId: carolId, role: 'member' })
    await assert.rejects(dave.library.acceptInvitation({ id: offer.id }), CONFLICT)
    assert.equal((await alice.library.get({ id })).team?.slug, SLUG)
  })
}

const lists = (it: It) => {
  it('have the items of a team, and those that one maintains', async (world) => {
    const { alice, bob, anonymous } = world
    const { dave } = await teamOf(world)
    const open = await publishFor(bob, SLUG, 'public', 'Open')
    const secret = await publishFor(bob, SLUG, 'private', 'Secret')
    const own = await publish(alice, 'public', 'Own')
    const helped = await publish(dave, 'private', 'Helped')
    await join(dave, helped.id, alice, 'alice', 'maintainer')
    await alice.teams.update({ slug: SLUG, new_slug: 'late-shift' })
    const idsOf = async (person: Person, asked: Parameters<Person['library']['list']>[0]) => {
      const { items, total } = await person.library.list(asked)
      assert.equal(items.length, total)
      return items.map(({ id }) => id).toSorted()
    }
    const sorted = (...items: { id: string }[]) => items.map(({ id }) => id).toSorted()
    for (const slug of [SLUG, 'late-shift']) {
      assert.deepEqual(await idsOf(anonymous, { team: slug }), sorted(open))
      assert.deepEqual(await idsOf(alice, { team: slug }), sorted(open))
      assert.deepEqual(await idsOf(alice, { team: slug, scope: 'maintained' }), sorted(open, secret))
      assert.deepEqual(await idsOf(dave, { team: slug, scope: 'maintained' }), [])
      assert.deepEqual(await idsOf(bob, { team: slug, scope: 'mine' }), sorted(open, secret))
    }
    assert.deepEqual(await idsOf(alice, { scope: 'mine' }), sorted(own))
    assert.deepEqual(await idsOf(alice, { scope: 'maintained' }), sorted(open, secret, helped))
    assert.deepEqual(await idsOf(alice, { scope: 'maintained', q: 'secre' }), sorted(secret))
    assert.deepEqual(await idsOf(alice, { scope: 'maintained', q: 'secre', kind: 'automation' }), [])
    assert.deepEqual(await idsOf(bob, { scope: 'maintained', sort: 'popular' }), sorted(open, secret))
    assert.deepEqual(await idsOf(dave, { scope: 'maintained' }), [])
    assert.deepEqual(await idsOf(alice, { team: 'nothing' }), [])
    await assert.rejects(anonymous.library.list({ scope: 'maintained' }), { status: 401 })
    const { items, total } = await alice.library.list({ scope: 'maintained', per_page: 2, page: 2 })
    assert.deepEqual([items.length, total], [1, 3])
  })

  it('let agents and the statement name who published a version', async (world) => {
    const { bob, carol, carolId } = { ...world, ...(await teamOf(world)) }
    const { id } = await publishFor(bob)
    const { version } = await carol.library.publishVersion({ id, file: workflowFile({ name: 'Digest' }) })
    const { payload } = await carol.transparency.statement({ id, version })
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString())
    assert.equal(predicate.publisher.id, carolId)
  })
}

onEveryEngine('rights on an item of a team', rights)
onEveryEngine('publishing', publishing)
onEveryEngine('transfers', transfers)
onEveryEngine('lists of the library', lists)
