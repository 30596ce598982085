// A caller names a budget of tokens: a list is cut at whole entries, says so, and pages go on where it was cut.
import assert from 'node:assert/strict'
import { tokensOf } from '../../src/surfaces/mcp/max-tokens.ts'
import { onEveryEngine } from '../world.ts'
import { callTool, dataOf, eras, type Result } from './caller.ts'

const textOf = ({ content }: Result) => content.map(({ text = '' }) => text).join('\n')
const NEXT = /Go on with page (\d+) and per_page (\d+)\.$/

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
          assert.ok(tokensOf(textOf(result)) <= Math.max(maxTokens, 600), `${tokensOf(textOf(result))} of ${maxTokens}`)
          const { items, hasMore } = JSON.parse(dataOf(result)) as { items: { id: string }[]; hasMore: boolean }
          assert.deepEqual(JSON.parse(dataOf(result)), result.structuredContent)
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

  it('is a whole number from 200 to 100,000, and of lists alone', async ({ app, alice }) => {
    for (const maxTokens of [199, 100_001, 1.5, '500']) {
      const { isError, content } = await callTool(app, 'list_bugs', { maxTokens })
      assert.equal(isError, true, String(maxTokens))
      assert.match(content[0]!.text!, /^maxTokens: must be a whole number/)
    }
    for (const maxTokens of [200, 100_000]) assert.ok(!(await callTool(app, 'list_bugs', { maxTokens })).isError)
    const { id } = await alice.bugs.create({ title: 'B', description: 'word '.repeat(190), severity: 'low' })
    const { structuredContent } = await callTool(app, 'get_bug', { id, maxTokens: 200 })
    assert.equal(structuredContent!['id'], id)
  })
})
