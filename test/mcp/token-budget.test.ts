// A caller names a budget of tokens: a list is cut at whole entries, says so, and pages go on where it was cut.
import assert from 'node:assert/strict'
import { tokensOf } from '../../src/runtime/width.ts'
import { structureOf } from '../../src/surfaces/mcp/schema.ts'
import { workflowFile } from '../library.ts'
import { onEveryEngine, type World } from '../world.ts'
import { callTool, dataOf, eras, type Result, tokenOf, withoutHref } from './caller.ts'

const textOf = ({ content }: Result) => content.map(({ text = '' }) => text).join('\n')
const NEXT = /Go on with page (\d+) and per_page (\d+)\.$/

/** What is new has all its parts, and costs as much as it may: a letter of Chinese, Japanese and Korean is a token. */
async function assertBrief(app: World['app'], token: string): Promise<void> {
  for (const era of eras) {
    const result = await callTool(app, 'what_is_new', {}, { token, era })
    assert.ok(!result.isError, textOf(result))
    const shown = JSON.parse(dataOf(result)) as Record<string, unknown[]>
    assert.deepEqual([shown['items']!.length > 0, shown['pending']!.length, shown['recent']!.length], [true, 3, 3])
    const letters = textOf(result).match(/[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}]/gu)?.length ?? 0
    const tokens = Math.ceil((textOf(result).length - letters) / 3) + letters
    assert.ok(tokens < 2_000, `${tokens} tokens`)
  }
}

onEveryEngine('a budget of tokens', (it) => {
  it('cuts lists at whole entries, and pages go on without a gap', async ({ app, alice }) => {
    for (let n = 0; n < 25; n++) {
      await alice.bugs.create({ title: `Bug ${n}`, description: 'word '.repeat(5 + ((n * 37) % 60)), severity: 'low' })
    }
    const { items: all } = await alice.bugs.list({ per_page: 100 })
    for (const [tool, era] of eras.flatMap((era) => ['list_bugs', 'get_feed'].map((name) => [name, era] as const))) {
      for (const maxTokens of [400, 1_000, 2_500, 100_000]) {
        const seen: string[] = []
        let page: object = { page: 0, per_page: 20 }
        for (let calls = 0; ; calls++) {
          assert.ok(calls < 60)
          const result = await callTool(app, tool, { ...page, maxTokens }, { era })
          assert.ok(tokensOf(textOf(result)) <= maxTokens, `${tokensOf(textOf(result))} of ${maxTokens}`)
          const { items, hasMore } = JSON.parse(dataOf(result)) as { items: { id: string }[]; hasMore: boolean }
          assert.deepEqual(structureOf(JSON.parse(dataOf(result))), withoutHref(result.structuredContent))
          seen.push(...items.map(({ id }) => id))
          if (!hasMore) break
          const next = textOf(result).match(NEXT)
          const { page: number, per_page: size } = page as { page: number; per_page: number }
          page = next ? { page: Number(next[1]), per_page: Number(next[2]) } : { page: number + 1, per_page: size }
        }
        assert.deepEqual(
          seen,
          all.map(({ id }) => id),
          `${tool} ${maxTokens}`,
        )
      }
    }
  })

  it('begins where the page began, also on later pages and in the library, whose pages begin at 1', async ({
    app,
    alice,
  }) => {
    for (let n = 0; n < 12; n++) await alice.posts.create({ title: `Post ${n}`, body: 'word '.repeat(80) })
    const wanted = (await alice.posts.list({ page: 2, per_page: 4 })).items[0]!.id
    const result = await callTool(app, 'list_posts', { page: 2, per_page: 4, maxTokens: 500 })
    assert.equal((JSON.parse(dataOf(result)) as { items: { id: string }[] }).items[0]!.id, wanted)
    const library = await callTool(app, 'list_library_items', { maxTokens: 200 })
    assert.equal((JSON.parse(dataOf(library)) as { page: number }).page, 1)
    const found = await callTool(app, 'call_operation', { name: 'posts.list', input: { maxTokens: 500 } })
    assert.match(textOf(found), NEXT)
  })

  it('is kept by a first entry that is too long, too, which says how much it needs', async ({ app, alice }) => {
    await alice.posts.create({ title: 'Long', body: 'word '.repeat(390) })
    await alice.bugs.create({ title: 'Hidden '.repeat(5) + '\u200b'.repeat(60), description: 'x', severity: 'low' })
    for (const tool of ['list_posts', 'list_bugs', 'get_feed']) {
      const refused = await callTool(app, tool, { maxTokens: 200, per_page: 20 })
      assert.ok(tokensOf(textOf(refused)) <= 200, tool)
      const needed = textOf(refused).match(/alone needs (\d+)/)?.[1]
      if (needed === undefined) {
        assert.ok(!refused.isError, tool)
        continue
      }
      assert.equal(refused.isError, true)
      const result = await callTool(app, tool, { maxTokens: Number(needed), per_page: 20 })
      assert.ok(!result.isError && tokensOf(textOf(result)) <= Number(needed), textOf(result))
      assert.equal((JSON.parse(dataOf(result)) as { items: unknown[] }).items.length, 1)
      const less = await callTool(app, tool, { maxTokens: Number(needed) - 1, per_page: 20 })
      assert.equal(less.isError, true, tool)
    }
  })

  it('is below 2,000 for what is new, however much there is, and of whatever it consists', async (world) => {
    const { app, alice, bob } = world
    const hidden = (length: number) => '\u200b\u202e'.repeat(length)
    const token = await tokenOf(world, alice)
    const { id } = await alice.bugs.create({ title: `T${hidden(45)}`, description: 'D', severity: 'low' })
    await alice.profile.setUsername({ username: 'alice' })
    for (let n = 0; n < 4; n++) {
      const file = workflowFile({ name: `P${n}${hidden(40)}` })
      const item = await bob.library.publish({ kind: 'workflow', visibility: 'public', file })
      await bob.library.addMaintainer({ id: item.id, username: 'alice', role: 'maintainer' })
    }
    for (let n = 0; n < 12; n++) {
      await bob.bugs.comment({ id, body: `@alice ${n} ${hidden(480)}` })
      await bob.posts.create({ title: `N${n}${hidden(45)}`, body: hidden(200) })
    }
    await app.deliver()
    await assertBrief(app, token)
  })

  it('is below 2,000 for what is new in scripts whose letters cost a token each', async (world) => {
    const { app, alice, bob } = world
    const token = await tokenOf(world, alice)
    const { id } = await alice.bugs.create({ title: '漢'.repeat(100), description: 'D', severity: 'low' })
    await alice.profile.setUsername({ username: 'alice' })
    for (let n = 0; n < 4; n++) {
      const file = workflowFile({ name: `字${n}${'한국어'.repeat(30)}` })
      const item = await bob.library.publish({ kind: 'workflow', visibility: 'public', file })
      await bob.library.addMaintainer({ id: item.id, username: 'alice', role: 'maintainer' })
    }
    for (let n = 0; n < 12; n++) {
      await bob.bugs.comment({ id, body: `@alice ${n} ${'日本語の文章'.repeat(80)}` })
      await bob.posts.create({ title: `${n}${'かな'.repeat(45)}`, body: 'か'.repeat(200) })
    }
    await app.deliver()
    await assertBrief(app, token)
  })

  it('is a whole number from 200 to 100,000, and of lists alone', async ({ app, alice }) => {
    for (const maxTokens of [199, 100_001, 1.5, '500']) {
      const { isError, content } = await callTool(app, 'list_bugs', { maxTokens })
      assert.equal(isError, true, String(maxTokens))
      assert.match(content[0]!.text!, /^maxTokens: must be a whole number/)
    }
    for (const maxTokens of [200, 100_000]) assert.ok(!(await callTool(app, 'list_bugs', { maxTokens })).isError)
    const { id } = await alice.bugs.create({ title: 'B', description: 'word '.repeat(190), severity: 'low' })
    const { isError, content } = await callTool(app, 'get_bug', { id, maxTokens: 200 })
    assert.deepEqual([isError, content[0]!.text], [true, 'maxTokens: there is no such argument; it takes id'])
  })
})
