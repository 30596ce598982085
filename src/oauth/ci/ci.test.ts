// Trusted publishing: the ID token of a run is exchanged (RFC 8693) for a token that publishes one item. The issuer is a foreign one.
import assert from 'node:assert/strict'
import { SignJWT, UnsecuredJWT } from 'jose'
import {
  exchangeRun,
  gitHub,
  gitLab,
  type Issuer,
  issuerFor,
  letRun,
  publishWith,
  type RunAnswer,
  withBadKeys,
} from '../../../test/ci.ts'
import { keyHolder, newKey } from '../../../test/dpop.ts'
import { workflowFile } from '../../../test/library.ts'
import { oauthClient } from '../../../test/oauth.ts'
import { publish } from '../../../test/owners.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { JWT_TYPE, TOKEN_EXCHANGE } from '../rules.ts'
import { PUBLISHING_SECONDS } from './ci.ts'

const NAME = 'workflow/digest'

/** The order of the group of P-256 (FIPS 186-4, D.1.2.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** An ES256 token signed with (r, n - s), which is as good as (r, s): anyone can make it of the token. */
function withOtherSignature(token: string): string {
  const at = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(at + 1), 'base64url')
  const s = ORDER - BigInt(`0x${signature.toString('hex', 32)}`)
  signature.write(s.toString(16).padStart(64, '0'), 32, 'hex')
  return `${token.slice(0, at)}.${signature.toString('base64url')}`
}
const file = () => workflowFile({ name: 'Digest' })

/** An item of alice, and a publisher of it. */
async function set(world: World, isOwn = false) {
  const issuer = await issuerFor(world, isOwn)
  const item = await publish(world.alice)
  const publisher = await letRun(world.alice, issuer, { item: item.id })
  return { issuer, item, publisher }
}

const versionPath = (id: string) => `/api/library/items/${id}/artifact`

async function assertRefused(answer: RunAnswer, why: RegExp, error = 'invalid_request') {
  assert.equal(answer.status, 400, JSON.stringify(answer))
  assert.equal(answer.error, error, String(answer.error_description))
  assert.match(String(answer.error_description), why)
}

onEveryEngine('a run of a CI', (it) => {
  it('publishes a version with a token of 15 minutes, as the account that named it', async (world) => {
    const { issuer, item } = await set(world)
    const answer = await exchangeRun(world, await issuer.token(gitHub()), NAME, {
      audience: `${world.dependencies.config.issuer}`,
    })
    const { access_token, ...told } = answer
    assert.deepEqual(told, {
      ...{ status: 200, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token', token_type: 'Bearer' },
      ...{ expires_in: PUBLISHING_SECONDS, scope: 'library:write', item_id: item.id },
    })
    const response = await publishWith(world, access_token, { file: file() }, versionPath(item.id))
    assert.equal(response.status, 200, await response.clone().text())
    const { version, owner } = (await response.json()) as { version: string; owner: { id: string } }
    assert.deepEqual([version, owner.id], ['1.0.1', (await world.alice.account()).id])
    const [publisher] = (await world.alice.trustedPublishers.list({ item: item.id })).items
    assert.deepEqual([publisher!.repository_id, publisher!.last_used_at !== null], ['1296269', true])
    world.clock.pass(PUBLISHING_SECONDS + 1)
    assert.equal((await publishWith(world, access_token, { file: file() }, versionPath(item.id))).status, 401)
  })

  it('publishes what gets the name that it was let publish, and versions of that from then on', async (world) => {
    const issuer = await issuerFor(world)
    const publisher = await letRun(world.alice, issuer, { kind: 'workflow', slug: 'digest' })
    assert.equal(publisher.item_id, null)
    const first = await exchangeRun(world, await issuer.token(gitHub()), NAME)
    assert.equal(first.item_id, null)
    const other = await publishWith(world, first.access_token, {
      kind: 'workflow',
      file: workflowFile({ name: 'Other' }),
    })
    assert.equal(other.status, 403)
    const response = await publishWith(world, first.access_token, {
      kind: 'workflow',
      visibility: 'public',
      file: file(),
    })
    assert.equal(response.status, 201, await response.clone().text())
    const { id, slug } = (await response.json()) as { id: string; slug: string }
    assert.equal(slug, 'digest')
    const again = await publishWith(world, first.access_token, { kind: 'workflow', file: file() })
    assert.equal(again.status, 403, 'digest-2 is another item')
    assert.equal((await publishWith(world, first.access_token, { file: file() }, versionPath(id))).status, 200)
    const second = await exchangeRun(world, await issuer.token(gitHub()), NAME)
    assert.equal(second.item_id, id)
    assert.equal((await world.alice.trustedPublishers.list({ item: id })).items.length, 1)
  })

  it('publishes a name once of many at once', async (world) => {
    const issuer = await issuerFor(world)
    await letRun(world.alice, issuer, { kind: 'workflow', slug: 'digest' })
    const tokens = await Promise.all(
      Array.from({ length: 10 }, async () => exchangeRun(world, await issuer.token(gitHub()), NAME)),
    )
    const all = await Promise.all(
      tokens.map(({ access_token }) => publishWith(world, access_token, { kind: 'workflow', file: file() })),
    )
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 403)])
    assert.equal((await world.alice.library.list({ scope: 'mine' })).items.length, 1)
  })

  it('publishes no other item of the account', async (world) => {
    const { issuer } = await set(world)
    const other = await publish(world.alice, 'public', 'Other')
    const { access_token } = await exchangeRun(world, await issuer.token(gitHub()), NAME)
    const version = await publishWith(
      world,
      access_token,
      { file: workflowFile({ name: 'Other' }) },
      versionPath(other.id),
    )
    assert.equal(version.status, 403)
    assert.equal(
      (await publishWith(world, access_token, { kind: 'workflow', file: workflowFile({ name: 'New' }) })).status,
      403,
    )
    assert.deepEqual(await world.alice.library.get({ id: other.id }).then(({ version }) => version), '1.0.0')
  })

  it('is refused where the publisher named another repository, branch, workflow or environment', async (world) => {
    const { issuer, item, publisher } = await set(world)
    const ofRef = (ref: string) => ({ ref, workflow_ref: `mira/digest/.github/workflows/publish.yml@${ref}` })
    const others: Record<string, unknown>[] = [
      { repository: 'eve/digest', workflow_ref: 'eve/digest/.github/workflows/publish.yml@refs/heads/main' },
      ofRef('refs/heads/other'),
      ofRef('refs/heads/main2'),
      ofRef('refs/tags/main'),
      { workflow_ref: 'mira/digest/.github/workflows/test.yml@refs/heads/main' },
    ]
    for (const changes of others) {
      const answer = await exchangeRun(world, await issuer.token(gitHub(changes)), NAME)
      await assertRefused(answer, /no publisher of workflow\/digest lets this run/, 'invalid_target')
    }
    await world.alice.trustedPublishers.remove({ id: publisher.id })
    const named = {
      issuer: issuer.url,
      repository: 'mira/digest',
      workflow: '.github/workflows/publish.yml',
      environment: 'Release',
    }
    await world.alice.trustedPublishers.add({ item: item.id, ...named })
    for (const changes of [{}, { environment: 'staging' }]) {
      const answer = await exchangeRun(world, await issuer.token(gitHub(changes)), NAME)
      await assertRefused(answer, /environment (none|staging)/, 'invalid_target')
    }
    assert.equal((await exchangeRun(world, await issuer.token(gitHub({ environment: 'release' })), NAME)).status, 200)
  })

  it('of a tag is let where the ref ends with a star', async (world) => {
    const issuer = await issuerFor(world)
    const item = await publish(world.alice)
    const named = {
      issuer: issuer.url,
      repository: 'Mira/Digest',
      workflow: '.github/workflows/publish.yml',
      ref: 'refs/tags/v*',
    }
    await world.alice.trustedPublishers.add({ item: item.id, ...named })
    const of = (ref: string) => gitHub({ ref, workflow_ref: `mira/digest/.github/workflows/publish.yml@${ref}` })
    assert.equal((await exchangeRun(world, await issuer.token(of('refs/tags/v1.2.0')), NAME)).status, 200)
    for (const ref of ['refs/tags/1.2.0', 'refs/heads/v1']) {
      await assertRefused(await exchangeRun(world, await issuer.token(of(ref)), NAME), /no publisher/, 'invalid_target')
    }
  })

  it('is refused for pull requests, and for what else others can start', async (world) => {
    const { issuer } = await set(world)
    for (const event of [
      'pull_request',
      'pull_request_target',
      'pull_request_review',
      'workflow_run',
      'issue_comment',
    ]) {
      await assertRefused(
        await exchangeRun(world, await issuer.token(gitHub({ event_name: event })), NAME),
        /publishes nothing/,
      )
    }
    const merged = { ref: 'refs/pull/7/merge', event_name: 'push' }
    await assertRefused(await exchangeRun(world, await issuer.token(gitHub(merged)), NAME), /workflow_ref is of/)
  })

  it('is refused with a token for others, of others, from another time, or used before', async (world) => {
    const { issuer } = await set(world)
    world.clock.stop()
    const now = Math.floor(world.clock.now() / 1000)
    const own = world.dependencies.config.issuer
    const refused: [why: RegExp, claims: Record<string, unknown>][] = [
      [/"aud"/, { aud: 'https://elsewhere.example' }],
      [/alone/, { aud: [own, 'https://elsewhere.example'] }],
      [/"aud"/, { aud: undefined }],
      [/issuer/, { iss: 'https://elsewhere.example' }],
      [/issuer/, { iss: undefined }],
      [/"exp"/, { exp: now - 6 }],
      [/"exp"/, { exp: undefined }],
      [/"nbf"/, { nbf: now + 6 }],
      [/more than a day/, { exp: now + 86_401 }],
      [/lacks what it must say: repository_id/, { repository_id: undefined }],
      [/workflow_ref is/, { workflow_ref: 'eve/digest/.github/workflows/publish.yml@refs/heads/main' }],
    ]
    for (const [why, claims] of refused) {
      await assertRefused(await exchangeRun(world, await issuer.token(gitHub(claims)), NAME), why)
    }
    assert.equal((await exchangeRun(world, await issuer.token(gitHub({ exp: now - 4 })), NAME)).status, 200)
    assert.equal((await exchangeRun(world, await issuer.token(gitHub({ exp: now + 86_400 })), NAME)).status, 200)
    const token = await issuer.token(gitHub())
    assert.equal((await exchangeRun(world, token, NAME)).status, 200)
    await assertRefused(await exchangeRun(world, token, NAME), /used already/)
    const twice = await issuer.token(gitHub({ jti: 'one' }))
    const other = await issuer.token(gitHub({ jti: 'one', sha: 'b'.repeat(40) }))
    assert.equal((await exchangeRun(world, twice, NAME)).status, 200)
    await assertRefused(await exchangeRun(world, other, NAME), /used already/)
    const nameless = await issuer.token(gitHub({ jti: undefined }))
    assert.equal((await exchangeRun(world, nameless, NAME)).status, 200)
    await assertRefused(await exchangeRun(world, nameless, NAME), /used already/)
  })

  it('is refused where a token without a name of its own was used with its other signature', async (world) => {
    const { issuer } = await set(world, true)
    const token = await issuer.token(gitHub({ jti: undefined }))
    assert.equal((await exchangeRun(world, token, NAME)).status, 200)
    await assertRefused(await exchangeRun(world, withOtherSignature(token), NAME), /used already/)
  })

  it('is refused where its issuer publishes keys that cannot be used', async (world) => {
    const { issuer } = await set(world, true)
    const tokens = withBadKeys(issuer, await issuer.token(gitHub()))
    for (const token of tokens) assert.equal((await exchangeRun(world, token, NAME)).status, 400)
  })

  it('uses its token once of ten times at once', async (world) => {
    const { issuer } = await set(world)
    const token = await issuer.token(gitHub())
    const all = await Promise.all(Array.from({ length: 10 }, () => exchangeRun(world, token, NAME)))
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 400)])
  })

  it('is refused without a signature, with a shared secret, and with another key', async (world) => {
    const { issuer } = await set(world)
    const { issuer: audience } = world.dependencies.config
    const claims = { ...gitHub(), jti: 'x' }
    const [key] = issuer.server.issuer.keys.toJSON()
    const of = <Jwt extends UnsecuredJWT | SignJWT>(jwt: Jwt) =>
      jwt.setIssuer(issuer.url).setAudience(audience).setIssuedAt().setExpirationTime('5m') as Jwt
    const forged = [
      of(new UnsecuredJWT(claims)).encode(),
      await of(new SignJWT(claims))
        .setProtectedHeader({ alg: 'HS256', kid: `${key?.kid}` })
        .sign(Buffer.from(String(key?.['n']))),
      await foreign(of, claims, `${key?.kid}`),
      await foreign(of, claims, 'unknown'),
      `${(await issuer.token(gitHub())).slice(0, -4)}AAAA`,
    ]
    for (const token of forged) {
      assert.equal((await exchangeRun(world, token, NAME)).error, 'invalid_request', token.slice(0, 40))
    }
  })

  it('of a repository that has the name of another one is refused, once that published', async (world) => {
    const { issuer } = await set(world)
    assert.equal((await exchangeRun(world, await issuer.token(gitHub()), NAME)).status, 200)
    for (const changes of [{ repository_id: '9' }, { repository_owner_id: '9' }]) {
      const answer = await exchangeRun(world, await issuer.token(gitHub(changes)), NAME)
      await assertRefused(answer, /is another one than that which published here first/, 'invalid_target')
    }
    assert.equal((await exchangeRun(world, await issuer.token(gitHub()), NAME)).status, 200)
  })

  it('of GitLab CI publishes as well, and is refused for merge requests', async (world) => {
    const { issuer, item } = await set(world)
    const named = { issuer: issuer.url, repository: 'mira/tools/digest', workflow: '.gitlab-ci.yml', ref: 'main' }
    await world.alice.trustedPublishers.add({ item: item.id, ...named })
    const token = (changes = {}) => issuer.token(gitLab(issuer.host, changes))
    const { access_token, status } = await exchangeRun(world, await token(), NAME)
    assert.equal(status, 200)
    assert.equal((await publishWith(world, access_token, { file: file() }, versionPath(item.id))).status, 200)
    for (const source of ['merge_request_event', 'external_pull_request_event', 'parent_pipeline']) {
      await assertRefused(await exchangeRun(world, await token({ pipeline_source: source }), NAME), /publishes nothing/)
    }
    const elsewhere = { ci_config_ref_uri: `evil.example/mira/tools/digest//.gitlab-ci.yml@refs/heads/main` }
    await assertRefused(await exchangeRun(world, await token(elsewhere), NAME), /ci_config_ref_uri/)
    const tag = {
      ref_path: 'refs/tags/main',
      ci_config_ref_uri: `${issuer.host}/mira/tools/digest//.gitlab-ci.yml@refs/tags/main`,
    }
    await assertRefused(await exchangeRun(world, await token(tag), NAME), /no publisher/, 'invalid_target')
  })

  it('says as a form what it asks for (RFC 8693, 2.1)', async (world) => {
    const { issuer } = await set(world)
    const { baseUrl } = world.dependencies.config
    const refused: [error: string, more: Record<string, string>][] = [
      ['invalid_target', { resource: '' }],
      ['invalid_target', { resource: `${baseUrl}/api` }],
      ['invalid_target', { resource: `https://elsewhere.example/api/library/items/${NAME}` }],
      ['invalid_target', { resource: `${baseUrl}/api/library/items/workflow/nothing` }],
      ['invalid_target', { audience: 'https://elsewhere.example' }],
      ['invalid_target', { publisher: 'nothing' }],
      ['invalid_scope', { scope: 'community:write' }],
      ['invalid_request', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
      ['invalid_request', { actor_token: 'x' }],
      ['invalid_request', { subject_token: '' }],
      ['invalid_request', { subject_token: 'nothing' }],
    ]
    for (const [error, more] of refused) {
      const answer = await exchangeRun(world, await issuer.token(gitHub()), NAME, more)
      assert.deepEqual([answer.status, answer.error], [400, error], JSON.stringify([more, answer]))
    }
    assert.equal(
      (await exchangeRun(world, await issuer.token(gitHub()), NAME, { subject_token_type: JWT_TYPE })).status,
      200,
    )
    const form = {
      grant_type: TOKEN_EXCHANGE,
      subject_token: await issuer.token(gitHub()),
      subject_token_type: JWT_TYPE,
    }
    const twice = new URLSearchParams({ ...form, resource: `${baseUrl}/api/library/items/${NAME}` })
    twice.append('resource', `${baseUrl}/api/library/items/workflow/other`)
    assert.equal((await oauthClient(world).token(twice)).error, 'invalid_request')
  })

  it('gets a token that is bound to a key which it proves', async (world) => {
    const { issuer } = await set(world)
    const key = await newKey()
    const { baseUrl } = world.dependencies.config
    const form = {
      grant_type: TOKEN_EXCHANGE,
      subject_token: await issuer.token(gitHub()),
      subject_token_type: JWT_TYPE,
    }
    const answer = await keyHolder(world, key).token({ ...form, resource: `${baseUrl}/api/library/items/${NAME}` })
    assert.equal(answer.token_type, 'DPoP')
    assert.equal((await publishWith(world, answer.access_token, { kind: 'workflow', file: file() })).status, 401)
  })

  it('is not handed on, and tells no other service of its account', async (world) => {
    const { issuer } = await set(world)
    const { access_token } = await exchangeRun(world, await issuer.token(gitHub()), NAME)
    const form = {
      grant_type: TOKEN_EXCHANGE,
      subject_token: access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }
    for (const client_id of ['urn:guildhall:trusted-publishing', 'monoagent']) {
      assert.notEqual((await oauthClient(world).token({ ...form, client_id })).status, 200, client_id)
    }
    const userinfo = await oauthClient(world).call(access_token, '/api/auth/oauth2/userinfo')
    assert.equal(userinfo.status, 403)
  })

  it('is let by one account of several that named it for the same name, which it says', async (world) => {
    const issuer = await issuerFor(world)
    const of = { kind: 'workflow', slug: 'digest' } as const
    const [one] = [await letRun(world.alice, issuer, of), await letRun(world.bob, issuer, of)]
    await assertRefused(
      await exchangeRun(world, await issuer.token(gitHub()), NAME),
      /several accounts/,
      'invalid_target',
    )
    const answer = await exchangeRun(world, await issuer.token(gitHub()), NAME, { publisher: one.id })
    assert.equal(
      (await publishWith(world, answer.access_token, { kind: 'workflow', visibility: 'public', file: file() })).status,
      201,
    )
    const [item] = (await world.alice.library.list({ scope: 'mine' })).items
    assert.equal(item!.slug, 'digest')
    const late = await exchangeRun(world, await issuer.token(gitHub()), NAME)
    assert.equal(late.item_id, item!.id, 'what bob named for it is of no use any more')
  })
})

const foreign = async (of: (jwt: SignJWT) => SignJWT, claims: Record<string, unknown>, kid: string) => {
  const { privateKey } = await import('jose').then((jose) => jose.generateKeyPair('RS256'))
  return of(new SignJWT(claims)).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
}

onEveryEngine(
  'the issuer of a run',
  (it) => {
    it('is one that the operator allows by now', async (world) => {
      const { issuer } = await set(world)
      await world.admin.settings.change({ changes: { CI_ISSUERS: 'off' } })
      await assertRefused(await exchangeRun(world, await issuer.token(gitHub()), NAME), /none that this server takes/)
      const given = { repository: 'mira/digest', workflow: 'publish.yml', ref: 'main' }
      await assert.rejects(world.alice.trustedPublishers.add({ kind: 'workflow', slug: 'x', ...given }), {
        status: 400,
      })
    })

    it('is asked for its keys once, and again for a key that is new', async (world) => {
      const { issuer } = await set(world, true)
      const exchange = async (named?: string, kid?: string) => {
        const change =
          named === undefined ? undefined : ({ header }: { header: object }) => Object.assign(header, { kid: named })
        return (await exchangeRun(world, await issuer.token(gitHub(), change, kid), NAME)).status
      }
      const before = issuer.fetched()
      for (let round = 0; round < 3; round++) assert.equal(await exchange(), 200)
      assert.equal(issuer.fetched() - before, 1)
      world.clock.pass(11)
      assert.equal(await exchange(undefined, await rotate(issuer)), 200)
      assert.equal(issuer.fetched() - before, 2)
      for (let round = 0; round < 3; round++) assert.equal(await exchange('unknown'), 400)
      assert.equal(issuer.fetched() - before, 2, 'a key that it does not have is looked for every ten seconds')
      world.clock.pass(601)
      assert.equal(await exchange(), 200)
      assert.equal(issuer.fetched() - before, 3)
    })

    it('on a private network is not reached', async (world) => {
      const { issuer } = await set(world)
      delete world.dependencies.reach
      await assertRefused(await exchangeRun(world, await issuer.token(gitHub()), NAME), /cannot be fetched/)
    })
  },
  { TEST_PROCESSES: '1' },
)

/** Another key in the place of the first. */
async function rotate({ server }: Issuer): Promise<string> {
  return (await server.issuer.keys.generate('ES256', { kid: 'rotated' })).kid
}

onEveryEngine(
  'the limits of runs',
  (it) => {
    it('are 60 tokens an hour of a publisher, and 600 tries of an address', async (world) => {
      const { issuer, publisher } = await set(world)
      const fill = (key: string, count: number) =>
        world.db.updateTable('rateLimit').set({ count }).where('key', 'like', key).execute()
      const status = async () => (await exchangeRun(world, await issuer.token(gitHub()), NAME)).status
      assert.equal(await status(), 200)
      await fill(`run of ${publisher.id}`, 59)
      assert.equal(await status(), 200)
      assert.equal(await status(), 429)
      await fill(`run of ${publisher.id}`, 0)
      await fill('run %', 599)
      await fill(`run of ${publisher.id}`, 0)
      assert.equal(await status(), 200)
      assert.equal(await status(), 429)
    })
  },
  { RATE_LIMITS: 'on' },
)
