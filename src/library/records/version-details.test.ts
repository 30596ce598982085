// What each version says, also of versions that were published before that was kept.
import assert from 'node:assert/strict'
import { automationFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const readme = (text: string) => [{ name: 'README.md', data: text }]

async function withTwoVersions({ alice }: World) {
  const file = automationFile({ version: '1.0.0', steps: ['http.get'] }, readme('# One'))
  const { id } = await alice.library.publish({ kind: 'automation', file, visibility: 'public' })
  await alice.library.publishVersion({ id, file: automationFile({ version: '1.1.0' }, readme('# Two')) })
  return id
}

async function assertBoth({ anonymous }: World, id: string): Promise<void> {
  const of = (version?: string) => anonymous.library.readme({ id, ...(version && { version }) })
  assert.deepEqual(await of('1.0.0'), { version: '1.0.0', readme: '# One' })
  assert.deepEqual(await of('1.1.0'), { version: '1.1.0', readme: '# Two' })
  assert.deepEqual(await of(), { version: '1.1.0', readme: '# Two' })
  const { version, files } = await anonymous.library.contents({ id, version: '1.0.0' })
  assert.deepEqual([version, files.map(({ path }) => path)], ['1.0.0', ['automation.json', 'README.md']])
}

onEveryEngine('what a version says', (it) => {
  it('stays when a newer one is published', async (world) => {
    await assertBoth(world, await withTwoVersions(world))
  })

  it('is read from the file where it was not kept, once', async (world) => {
    const { db, dependencies } = world
    const id = await withTwoVersions(world)
    await db.deleteFrom('versionDetails').where('version', '=', '1.0.0').execute()
    await Promise.all([assertBoth(world, id), assertBoth(world, id)])
    dependencies.blobs.artifacts.read = async () => assert.fail('read again')
    await assertBoth(world, id)
  })

  it('is 404 of a version that is not there, and 400 of what is none', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    await assert.rejects(anonymous.library.readme({ id, version: '9.0.0' }), { status: 404, code: 'not_found' })
    await assert.rejects(anonymous.library.contents({ id, version: 'x' }), { status: 400, code: 'invalid_request' })
    const secret = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    await assert.rejects(bob.library.contents({ id: secret.id, version: '1.0.0' }), { status: 404 })
  })
})
