// Agents below agents: who acts for whom, bounds and budgets that never exceed those above, and one act that ends a helper with all below it.
import assert from 'node:assert/strict'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { agentWith } from '../../../test/agents.ts'
import { AGENT, oauthClient, type TokenAnswer } from '../../../test/oauth.ts'
import { waits } from '../../../test/pending.ts'
import { secondProcess } from '../../../test/second-process.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_DEPTH } from '../../contract/hand-on.ts'
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../rules.ts'
import { HANDED_ON_SECONDS } from './exchanging.ts'

const scope = 'community:read community:write library:read offline_access'
const bug = { title: 'T', description: 'D', severity: 'low' } as const
const ROUNDS = 10

interface HandOnOptions {
  name?: string
  scope?: string
  resource?: string
  bounds?: object
}

type HandOnAnswer = TokenAnswer & { authorization_details?: object[] }

const details = (bounds: object) => ({
  authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ...bounds }]),
})

const handOn = (world: World, token: string, { name, bounds, ...more }: HandOnOptions = {}) =>
  oauthClient(world).token({
    ...{ grant_type: TOKEN_EXCHANGE, client_id: AGENT, subject_token: token, subject_token_type: ACCESS_TOKEN_TYPE },
    ...(name !== undefined && { helper_name: name }),
    ...(bounds && details(bounds)),
    ...more,
  }) as Promise<HandOnAnswer>

const letIn = (world: World, bounds?: object) =>
  oauthClient(world).signIn(world.alice, { clientId: AGENT, scope, ...(bounds && { more: details(bounds) }) })

/** The token of the last of so many helpers, one below the other. */
async function below(world: World, token: string, helpers: readonly HandOnOptions[]): Promise<string> {
  let last = token
  for (const helper of helpers) last = (await handOn(world, last, helper)).access_token
  return last
}

const status = async (world: World, token: string) => (await oauthClient(world).call(token)).status

const refused = (status: number) => (error: { status?: number }) => error.status === status

async function onlySignIn(world: World) {
  const [signIn] = (await world.alice.signIns.list()).items
  assert.ok(signIn)
  return signIn
}

const helperCalled = async (world: World, name: string) => {
  const signIn = await onlySignIn(world)
  const helper = signIn.handedOn.find((one) => one.name === name)
  assert.ok(helper, name)
  return { id: signIn.id, helperId: helper.id }
}

onEveryEngine('agents below agents', (it) => {
  it(`are ${MAX_DEPTH} deep at most`, async (world) => {
    const { access_token } = await letIn(world)
    const fifth = await below(world, access_token, Array(MAX_DEPTH).fill({}))
    assert.equal(await status(world, fifth), 200)
    const sixth = await handOn(world, fifth)
    assert.deepEqual([sixth.status, sixth.error], [400, 'invalid_request'])
    const { handedOn } = await onlySignIn(world)
    assert.deepEqual(
      handedOn.map(({ depth }) => depth),
      [1, 2, 3, 4, 5],
    )
    assert.deepEqual(
      handedOn.map(({ parentId }) => parentId),
      [null, ...handedOn.slice(0, -1).map(({ id }) => id)],
    )
  })

  it('say who acts for whom in a JWT as well, which is bounded and as short as they are (RFC 8693, 4.1)', async (world) => {
    world.clock.stop()
    const { access_token } = await letIn(world)
    const reader = await handOn(world, access_token, { name: 'Reader' })
    const resource = oauthClient(world).audience
    const { access_token: jwt, expires_in } = await handOn(world, reader.access_token, {
      ...{ name: 'Summarizer', resource, scope: 'community:read', bounds: { writes: 0 } },
    })
    const [readerId, ownId] = (await onlySignIn(world)).handedOn.map(({ id }) => id)
    const claims = decodeJwt(jwt)
    assert.equal(decodeProtectedHeader(jwt)['typ'], 'at+jwt')
    assert.deepEqual(claims['act'], {
      ...{ sub: AGENT, helper: ownId, name: 'Summarizer' },
      act: { sub: AGENT, helper: readerId, name: 'Reader', act: { sub: AGENT } },
    })
    const { id } = await world.alice.account()
    assert.deepEqual([claims.sub, claims['scope'], claims['bounds']], [id, 'community:read', { writes: 0 }])
    assert.ok(claims.exp! - claims.iat! <= HANDED_ON_SECONDS && claims.exp! - claims.iat! >= expires_in - 1)
    assert.equal(await status(world, jwt), 200)
    assert.equal((await handOn(world, jwt, { scope: 'library:read' })).error, 'invalid_scope')
    const last = await handOn(world, jwt)
    await oauthClient(world).revoke(AGENT, jwt)
    assert.deepEqual([await status(world, jwt), await status(world, last.access_token)], [401, 401])
    assert.equal((await handOn(world, jwt)).error, 'invalid_request')
    assert.equal(await status(world, reader.access_token), 200)
  })

  it('have never more bounds than those above, whatever they ask for', async (world) => {
    world.clock.stop()
    const { access_token } = await letIn(world, { writes: 9, kinds: ['posts', 'comments'], expires_in: 600 })
    const wide = { writes: 50, calls: 7, kinds: ['posts', 'votes'], expires_in: 86_400 }
    const first = await handOn(world, access_token, { bounds: wide })
    const { expires_in: left, ...given } = first.authorization_details![0] as { expires_in: number }
    assert.deepEqual(given, { type: 'guildhall_bounds', calls: 7, writes: 9, kinds: ['posts'] })
    assert.ok(left <= 600 && first.expires_in < 600, `${left}, ${first.expires_in}`)
    const { alice } = world
    const { id } = await alice.bugs.create(bug)
    const helper = agentWith(world, first.access_token)
    await assert.rejects(helper.bugs.vote({ id, value: 1 }), refused(403))
    await assert.rejects(helper.bugs.comment({ id, body: 'C' }), refused(403))
    const short = await handOn(world, first.access_token, { bounds: { expires_in: 60 } })
    assert.ok(short.expires_in < 60)
    for (const shape of [{ writes: -1 }, { unknown: 1 }, { kinds: ['everything'] }]) {
      const answer = await handOn(world, access_token, { bounds: shape })
      assert.equal(answer.error, 'invalid_authorization_details', JSON.stringify(shape))
    }
    const { id: grantId } = await onlySignIn(world)
    await alice.signIns.update({ id: grantId, bounds: { kinds: ['votes'] } })
    await assert.rejects(helper.bugs.create(bug), refused(403), 'what its account takes away, it loses at once')
  })

  it('share one budget with the whole tree: what one writes counts for all above it', async (world) => {
    const { access_token } = await letIn(world, { writes: 5 })
    const left = await handOn(world, access_token, { bounds: { writes: 3 } })
    const right = await handOn(world, access_token)
    const leaf = await handOn(world, left.access_token, { bounds: { writes: 2 } })
    const write = (token: string) => agentWith(world, token).bugs.create(bug)
    await write(leaf.access_token)
    await write(leaf.access_token)
    await assert.rejects(write(leaf.access_token), refused(429), 'its own two')
    await write(left.access_token)
    await assert.rejects(write(left.access_token), refused(429), 'its three, two of them by the one below')
    await assert.rejects(write((await handOn(world, left.access_token)).access_token), refused(429), 'nor by another')
    await write(right.access_token)
    await write(access_token)
    for (const { access_token: token } of [right, { access_token }]) {
      await assert.rejects(write(token), refused(429), 'the five of the grant')
    }
  })

  it('count exactly what many of them write at once', async (world) => {
    const { access_token } = await letIn(world, { writes: 4 })
    const helpers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => handOn(world, access_token)))
    const all = await Promise.allSettled(helpers.map((one) => agentWith(world, one.access_token).bugs.create(bug)))
    assert.equal(all.filter((one) => one.status === 'fulfilled').length, 4)
  })

  it('are named with what they wrote, in the order in which they were handed access', async (world) => {
    const { access_token } = await letIn(world)
    const leaf = await below(world, access_token, [{ name: 'Reader' }, {}, { name: ' Summa\u202erizer\n ' }])
    const helper = agentWith(world, leaf)
    const { id } = await helper.bugs.create(bug)
    const { via } = await world.bob.bugs.get({ id })
    assert.deepEqual(via?.helpers, ['Reader', null, 'Summarizer'])
    assert.equal(via.clientId, AGENT)
    await agentWith(world, access_token).bugs.comment({ id, body: 'By the agent' })
    await helper.bugs.comment({ id, body: 'By its helper' })
    const { items } = await world.bob.bugs.comments({ id })
    assert.deepEqual(
      items.map((one) => one.via?.helpers),
      [undefined, ['Reader', null, 'Summarizer']],
    )
    const work = await world.bob.agents.get({ clientId: AGENT })
    assert.equal(work.items.length, 3, 'the agent is shown with what its helpers wrote')
    const [entry] = (await world.bob.feed.list()).items
    assert.deepEqual(entry?.via?.helpers, ['Reader', null, 'Summarizer'])
  })

  it('are named also with what waited for the yes of their account', async (world) => {
    const { access_token } = await letIn(world)
    const first = await handOn(world, access_token, { name: 'Writer', bounds: { ask: ['posts'] } })
    const leaf = await handOn(world, first.access_token, { name: 'Typist' })
    const { id } = await waits(agentWith(world, leaf.access_token).bugs.create(bug))
    await world.alice.pendingActs.approve({ id })
    const [made] = (await world.alice.bugs.list()).items
    assert.deepEqual(made?.via?.helpers, ['Writer', 'Typist'])
  })

  it('show their account what each may do, how long, and when it acted last', async (world) => {
    const { access_token } = await letIn(world, { writes: 9 })
    const first = await handOn(world, access_token, { name: 'Reader', scope: 'community:read', bounds: { calls: 5 } })
    const [before] = (await onlySignIn(world)).handedOn
    assert.deepEqual([before?.name, before?.bounds, before?.lastUsedAt], ['Reader', { calls: 5 }, null])
    assert.equal(await status(world, first.access_token), 200)
    const seen = async () => (await onlySignIn(world)).handedOn[0]?.lastUsedAt
    while ((await seen()) === null);
    assert.ok((await seen())! >= before!.createdAt)
  })
})

onEveryEngine('the end of a helper', (it) => {
  it('is the end of all below it at once, in every process, and of no other', async (world) => {
    const { access_token } = await letIn(world)
    const [own, sibling] = [await handOn(world, access_token, { name: 'Own' }), await handOn(world, access_token)]
    const resource = oauthClient(world).audience
    const jwt = await below(world, own.access_token, [{ resource }])
    const leaf = await below(world, jwt, [{}, {}])
    const other = await secondProcess(world)
    try {
      const all = [own.access_token, jwt, leaf]
      const seen = () => Promise.all(all.map(async (token) => (await other.client.call(token)).status))
      assert.deepEqual(await seen(), [200, 200, 200])
      const end = await helperCalled(world, 'Own')
      await assert.rejects(world.bob.signIns.endHelper(end), refused(404))
      await assert.rejects(agentWith(world, access_token).signIns.endHelper(end), refused(401))
      assert.deepEqual(await world.alice.signIns.endHelper(end), { ended: 4 })
      assert.deepEqual(await seen(), [401, 401, 401])
      for (const token of all) assert.equal(await status(world, token), 401)
      assert.deepEqual([await status(world, access_token), await status(world, sibling.access_token)], [200, 200])
      await assert.rejects(world.alice.signIns.endHelper(end), refused(404))
      for (const token of all) assert.equal((await handOn(world, token)).error, 'invalid_request')
    } finally {
      await other.close()
    }
  })

  it('of the agent itself ends its JWT at our API at once, in every process', async (world) => {
    const client = oauthClient(world)
    const { audience: resource } = client
    const other = await secondProcess(world)
    try {
      for (const end of ['end', 'endAll'] as const) {
        const asked = { clientId: AGENT, scope, more: { resource } }
        const { access_token: jwt } = await client.signIn(world.alice, asked, { resource })
        const { access_token: leaf } = await handOn(world, jwt)
        assert.equal((await other.client.call(jwt)).status, 200)
        const { id } = await onlySignIn(world)
        await (end === 'end' ? world.alice.signIns.end({ id }) : world.alice.signIns.endAll())
        for (const one of [client, other.client]) {
          assert.deepEqual([(await one.call(jwt)).status, (await one.call(leaf)).status], [401, 401], end)
        }
      }
    } finally {
      await other.close()
    }
  })

  it('leaves no child, whenever its token is handed on at that moment', async (world) => {
    const client = oauthClient(world)
    for (let round = 0; round < ROUNDS; round++) {
      const { access_token } = await letIn(world)
      const parent = await handOn(world, access_token, { name: `Parent ${round}` })
      const signIn = (await world.alice.signIns.list()).items.find(({ handedOn }) => handedOn.length > 0)
      const end = { id: signIn!.id, helperId: signIn!.handedOn[0]!.id }
      const ends = [
        () => world.alice.signIns.endHelper(end),
        () => client.revoke(AGENT, parent.access_token),
        () => world.alice.signIns.end({ id: end.id }),
      ]
      const children = () => [handOn(world, parent.access_token), handOn(world, parent.access_token)]
      const before = children()
      const ending = ends[round % ends.length]!()
      const made = await Promise.all([...before, ...children()])
      await ending
      for (const { access_token: child } of [parent, ...made].filter((one) => one.access_token)) {
        assert.equal(await status(world, child), 401, `round ${round}`)
      }
      await world.alice.signIns.endAll()
    }
    const left = await world.db.selectFrom('oauthToken').select('hash').execute()
    assert.deepEqual(left, [])
  })
})
