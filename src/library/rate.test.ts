// 30 successful uploads an hour and account, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { workflowFile } from '../../test/library.ts'
import { onEveryEngine, type Person } from '../../test/world.ts'
import type { ApiError } from '../surfaces/client.ts'

const publish = (person: Person) => person.library.publish({ kind: 'workflow', file: workflowFile() })

onEveryEngine('the publishing rate', (it) => {
  it('lets 30 of many uploads at once through', async ({ alice, bob, db }) => {
    const { id } = await publish(alice)
    const racing = Array.from({ length: 40 }, (_, index) =>
      index % 2 ? publish(alice) : alice.library.publishVersion({ id, file: workflowFile() }),
    )
    const results = await Promise.allSettled(racing)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    assert.deepEqual(refused, Array(11).fill('rate_limited'))
    const { count } = await db
      .selectFrom('itemVersion')
      .select((version) => version.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(count, 30)
    assert.ok((await publish(bob)).id)
  })

  it('counts what succeeded within the hour, deleted or not', async ({ alice, admin, clock, db }) => {
    const broken = { kind: 'workflow', file: new File(['{'], 'f') }
    await assert.rejects(alice.library.publish(broken), { status: 400 })
    for (let index = 0; index < 30; index++) {
      const { id } = await publish(alice)
      if (index < 5) await alice.library.delete({ id })
      if (index === 0) clock.pass(600)
    }
    const error = await publish(alice).then(
      () => assert.fail('was let through'),
      (error: ApiError) => error,
    )
    assert.deepEqual([error.status, error.code], [429, 'rate_limited'])
    const wait = Number(error.headers.get('retry-after'))
    assert.ok(wait > 2_900 && wait <= 3_000, String(wait))
    clock.pass(wait - 30)
    await assert.rejects(publish(alice), { code: 'rate_limited' })
    clock.pass(30)
    assert.ok((await publish(alice)).id)
    await assert.rejects(publish(alice), { code: 'rate_limited' })
    await admin.account()
    const at = new Date(clock.now()).toISOString()
    const { id: accountId } = await admin.account()
    for (let index = 0; index < 31; index++)
      await db
        .insertInto('libraryUpload')
        .values({ id: `a${index}`, accountId, at })
        .execute()
    assert.ok((await publish(admin)).id)
  })
})
