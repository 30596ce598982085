// What 25 tasks cost an agent in calls and tokens, with each list of tools that was tried. Writes the tables of bench/agent-tasks/README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEFORE } from './agent-tasks/before.ts'
import { lists, type Way } from './agent-tasks/lists.ts'
import { solveAll, sum } from './agent-tasks/solve.ts'
import { figure } from './parts/figures.ts'

const README = join(import.meta.dirname, 'agent-tasks/README.md')
const number = (value: number) => value.toLocaleString('en-US')
const percent = (value: number) => `${(value * 100).toFixed(1)} %`
const row = (cells: readonly (string | number)[]) =>
  `| ${cells.map((one) => (typeof one === 'number' ? number(one) : one)).join(' | ')} |`

const solved = await solveAll()
const wholeOf = (way: Way) => sum(solved, way, 'tokens') + lists[way].tokens * solved.length

const ways = Object.keys(lists) as Way[]
const tried = [
  row([
    'list',
    'tools',
    'tokens of the list',
    'of before',
    'calls',
    'tokens of the calls',
    '25 tasks with it',
    'of before',
  ]),
  row(Array.from({ length: 8 }, () => '---')),
  ...ways.map((way) => {
    const { title, tools, tokens } = lists[way]
    const [calls, ofCalls] = [sum(solved, way, 'calls'), sum(solved, way, 'tokens')]
    return row([
      title,
      tools,
      tokens,
      percent(tokens / BEFORE.list),
      calls,
      ofCalls,
      wholeOf(way),
      percent(wholeOf(way) / BEFORE.whole),
    ])
  }),
]

const shown = ['plain', 'short', 'two', 'script'] as const
const tasks = [
  row(['task', ...shown.map((way) => `calls, ${way}`), ...shown.map((way) => `tokens, ${way}`)]),
  row(Array.from({ length: 9 }, () => '---')),
  ...solved.map(({ name, by }) =>
    row([name, ...shown.map((way) => by[way].calls), ...shown.map((way) => by[way].tokens)]),
  ),
]

let text = readFileSync(README, 'utf8')
for (const [name, table] of Object.entries({ lists: tried, tasks })) {
  const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- end of ${name} -->)`)
  text = text.replace(place, (_, begin, end) => `${begin}\n${table.join('\n')}\n${end}`)
}
writeFileSync(README, text)

figure('tokens of the list of tools, against those of before', lists.short.tokens / BEFORE.list, 'x', { atMost: 0.3 })
for (const way of ['short', 'two', 'script'] as const) {
  const title = `tokens of 25 tasks with ${lists[way].title}, against those of before`
  figure(title, wholeOf(way) / BEFORE.whole, 'x', { atMost: 0.51 })
}
figure(
  'calls of 25 tasks, against one tool for each operation',
  sum(solved, 'short', 'calls') / sum(solved, 'plain', 'calls'),
  'x',
  { atMost: 1 },
)
