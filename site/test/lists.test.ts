import assert from 'node:assert/strict'
import { it } from 'node:test'
import { glimpse } from '#lib/server/lists.ts'

it('A preview in a list has the words of a table, and neither its bars nor its rule', () => {
  assert.equal(glimpse('| step | who |\n| --- | :-: |\n| a | b |\n\nThen `c | d`.').trim(), 'step who a b Then c | d.')
  assert.equal(glimpse('We count.\n\n```sql\nselect 1\n```\nThen'), 'We count. select 1 Then')
  assert.equal(glimpse('a | b\n--|--\nc | d\ne').trim(), 'a b c d e')
  assert.equal(glimpse('| step | who |\n| --…').trim(), 'step who')
  assert.equal(glimpse('cat a | sort\nb | c'), 'cat a | sort b | c')
})

it('A preview in a list says of a task whether it is done', () => {
  assert.equal(glimpse('- [ ] a\n- [X] b\n- c [d](/e)'), '☐ a ☑ b c d')
})

it('A preview in a list has neither footnotes nor the addresses of what was cut', () => {
  assert.equal(glimpse('Slow[^1] and old[^a b].\n\n[^1]: By the clock.'), 'Slow and old[^a b].')
  assert.equal(glimpse('[^why]: Because.\n    And so on.\n\nSlow[^why].'), 'Slow.')
  assert.equal(glimpse('See ![the chart](ht…'), 'See the chart…')
  assert.equal(glimpse('See [the old manual](https://example.com/a_(b…'), 'See the old manual…')
  assert.equal(glimpse('See ![the old ch…'), 'See the old…')
  assert.equal(glimpse('See ![](https://example.com/a.png) or ![](ht…'), 'See or…')
  assert.equal(glimpse('A claim[^…'), 'A claim…')
  assert.equal(glimpse('A claim[^lo…'), 'A claim…')
  assert.equal(
    glimpse('See [it][one] or <https://example.com/a>.\n\n[one]: https://example.com "One"'),
    'See it or https://example.com/a.',
  )
  assert.equal(glimpse('~~Not~~ a [list] of x[0]'), 'Not a [list] of x[0]')
})

it('A preview in a list takes no long time, whatever the text', () => {
  const started = process.cpuUsage()
  for (const text of ['[', '![', '[](', '[^', '[^a]: ', '[a][', '[^a]:\n    ', '<http://a ']) {
    glimpse(`${text.repeat(20_000 / text.length)}…`)
  }
  const { user } = process.cpuUsage(started)
  assert.ok(user < 1_000_000, `${user / 1000} ms`)
  assert.equal(glimpse('See [this](https://example.com "that") and ![it](/a.png).'), 'See this and it.')
})
