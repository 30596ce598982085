// 25 tasks of agents are solved through tools alone, at half the tokens of before: with the list that is the default, and with two tools.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BEFORE } from '../bench/agent-tasks/before.ts'
import { lists } from '../bench/agent-tasks/lists.ts'
import { solveAll, sum } from '../bench/agent-tasks/solve.ts'

it('needs at most half the tokens for the same results, with the short list, with two tools and with a script', async () => {
  const solved = await solveAll(['plain', 'short', 'two', 'script'])
  assert.equal(solved.length, 25)
  assert.ok(lists.short.tools <= 25, `${lists.short.tools} tools`)
  assert.ok(lists.short.tokens <= 0.3 * BEFORE.list, `${lists.short.tokens} tokens`)
  for (const way of ['short', 'two', 'script'] as const) {
    const whole: number = sum(solved, way, 'tokens') + solved.length * lists[way].tokens
    assert.ok(whole <= 0.51 * BEFORE.whole, `${way}: ${whole}`)
  }
  assert.ok(sum(solved, 'short', 'calls') < sum(solved, 'plain', 'calls'))
  assert.ok(sum(solved, 'short', 'tokens') < sum(solved, 'plain', 'tokens'))
})
