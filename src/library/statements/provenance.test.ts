// What the statement of a version says of the run that published it, in the formats of in-toto and SLSA as their specifications have them.
import assert from 'node:assert/strict'
import { z } from 'zod'
import { exchangeRun, gitHub, gitLab, issuerFor, letRun, publishWith } from '../../../test/ci.ts'
import { workflowFile } from '../../../test/library.ts'
import { publish } from '../../../test/owners.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { BUILD_TYPE } from './provenance.ts'

/** in-toto Attestation Framework, Statement v1 and ResourceDescriptor v1: the fields that there are, and no others. */
const Digest = z.record(z.string(), z.string().regex(/^[0-9a-f]+$/))
const ResourceDescriptor = z.strictObject({
  name: z.string().optional(),
  uri: z.url().optional(),
  digest: Digest.optional(),
  content: z.string().optional(),
  downloadLocation: z.url().optional(),
  mediaType: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
})
const Statement = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(ResourceDescriptor.extend({ digest: Digest })).min(1),
  predicateType: z.url(),
  predicate: z.record(z.string(), z.unknown()),
})
/** SLSA v1.0, provenance: predicate type https://slsa.dev/provenance/v1. */
const Provenance = z.strictObject({
  buildDefinition: z.strictObject({
    buildType: z.url(),
    externalParameters: z.record(z.string(), z.unknown()),
    internalParameters: z.record(z.string(), z.unknown()).optional(),
    resolvedDependencies: z.array(ResourceDescriptor).optional(),
  }),
  runDetails: z.strictObject({
    builder: z.strictObject({
      id: z.url(),
      version: z.record(z.string(), z.string()).optional(),
      builderDependencies: z.array(ResourceDescriptor).optional(),
    }),
    metadata: z
      .strictObject({
        invocationId: z.string().optional(),
        startedOn: z.iso.datetime().optional(),
        finishedOn: z.iso.datetime().optional(),
      })
      .optional(),
    byproducts: z.array(ResourceDescriptor).optional(),
  }),
})

async function statementOf(world: World, id: string, version: string) {
  const { payload } = await world.alice.transparency.statement({ id, version })
  return Statement.parse(JSON.parse(Buffer.from(payload, 'base64').toString()))
}

async function runPublishes(world: World, claims: Record<string, unknown>, id: string) {
  const issuer = await issuerFor(world)
  const { access_token } = await exchangeRun(world, await issuer.token(claims), 'workflow/digest')
  const file = workflowFile({ name: 'Digest' })
  const response = await publishWith(world, access_token, { file }, `/api/library/items/${id}/artifact`)
  return ((await response.json()) as { version: string }).version
}

onEveryEngine('the provenance of a version', (it) => {
  it('is in its statement: commit, workflow and run, in the fields of SLSA', async (world) => {
    const issuer = await issuerFor(world)
    const { id } = await publish(world.alice)
    await letRun(world.alice, issuer, { item: id })
    const version = await runPublishes(world, gitHub({ environment: 'release' }), id)
    const { predicate } = await statementOf(world, id, version)
    const site = new URL(issuer.url).origin
    assert.deepEqual(Provenance.parse(predicate['provenance']), {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: {
          workflow: {
            ...{ repository: `${site}/mira/digest`, path: '.github/workflows/publish.yml' },
            ...{ ref: 'refs/heads/main', environment: 'release' },
          },
        },
        internalParameters: { repositoryId: '1296269', repositoryOwnerId: '583231' },
        resolvedDependencies: [
          {
            uri: `git+${site}/mira/digest@refs/heads/main`,
            digest: { gitCommit: 'a3f1c9d0b7e64f21a3f1c9d0b7e64f21a3f1c9d0' },
          },
        ],
      },
      runDetails: {
        builder: { id: issuer.url },
        metadata: { invocationId: `${site}/mira/digest/actions/runs/4711/attempts/1` },
      },
    })
  })

  it('of GitLab CI names its job', async (world) => {
    const issuer = await issuerFor(world)
    const { id } = await publish(world.alice)
    const named = { issuer: issuer.url, repository: 'mira/tools/digest', workflow: '.gitlab-ci.yml', ref: 'main' }
    await world.alice.trustedPublishers.add({ item: id, ...named })
    const version = await runPublishes(world, gitLab(issuer.host), id)
    const { predicate } = await statementOf(world, id, version)
    const { runDetails } = Provenance.parse(predicate['provenance'])
    assert.equal(runDetails.metadata?.invocationId, `${new URL(issuer.url).origin}/mira/tools/digest/-/jobs/302`)
  })

  it('is none of a version that a person published', async (world) => {
    const { id } = await publish(world.alice)
    const { predicate } = await statementOf(world, id, '1.0.0')
    assert.deepEqual(['provenance' in predicate, 'approver' in predicate], [false, false])
  })

  it('stays in the statement when its account is erased, and the log has hashes alone', async (world) => {
    const { alice, app } = world
    const issuer = await issuerFor(world)
    const { id } = await publish(alice)
    await letRun(alice, issuer, { item: id })
    const version = await runPublishes(world, gitHub(), id)
    await alice.deletion.request({ content: 'anonymise' })
    world.clock.pass(31 * 86_400)
    await app.work()
    await app.sequenceLog()
    const { payload } = await world.anonymous.transparency.statement({ id, version })
    const { predicate } = Statement.parse(JSON.parse(Buffer.from(payload, 'base64').toString()))
    assert.equal(predicate['publisher'], null)
    assert.ok(Provenance.parse(predicate['provenance']))
    const entries = await world.db.selectFrom('logEntry').select('text').execute()
    assert.ok(entries.every(({ text }) => !text.includes('mira/digest')))
  })
})
