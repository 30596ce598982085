// What 25 tasks cost an agent in calls and tokens: with our tools, and with one tool for each operation of REST. Writes the table of
// bench/agent-tasks/README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTokens } from './agent-tasks/sessions.ts'
import { solveAll, sum } from './agent-tasks/solve.ts'
import { figure } from './parts/figures.ts'

const README = join(import.meta.dirname, 'agent-tasks/README.md')
const number = (value: number) => value.toLocaleString('en-US')

const solved = await solveAll()
const all = {
  calls: [0, 0],
  tokens: [0, 0],
  lists: [listTokens.ours * solved.length, listTokens.plain * solved.length],
}
for (const [at, way] of (['ours', 'plain'] as const).entries()) {
  all.calls[at] = sum(solved, way, 'calls')
  all.tokens[at] = sum(solved, way, 'tokens')
}
const rows = solved.map(
  ({ name, ours, plain }) =>
    `| ${name} | ${ours.calls} | ${plain.calls} | ${number(ours.tokens)} | ${number(plain.tokens)} |`,
)
const whole = [0, 1].map((at) => number(all.tokens[at]! + all.lists[at]!))
const table = [
  '| task | calls, ours | calls, plain | tokens, ours | tokens, plain |',
  '| --- | --- | --- | --- | --- |',
  ...rows,
  `| all tasks | ${all.calls.join(' | ')} | ${all.tokens.map(number).join(' | ')} |`,
  `| the list of tools, in each session | | | ${number(listTokens.ours)} | ${number(listTokens.plain)} |`,
  `| all tasks with it | ${all.calls.join(' | ')} | ${whole.join(' | ')} |`,
].join('\n')
const text = readFileSync(README, 'utf8')
writeFileSync(README, text.replace(/(<!-- table -->\n)[\s\S]*(\n<!-- end -->)/, `$1\n${table}\n$2`))

figure('calls of 25 tasks, against one tool for each operation', all.calls[0]! / all.calls[1]!, 'x', { atMost: 1 })
figure('tokens of the calls, against the same', all.tokens[0]! / all.tokens[1]!, 'x', { atMost: 1 })
figure(
  'tokens with the list of tools, against the same',
  (all.tokens[0]! + all.lists[0]!) / (all.tokens[1]! + all.lists[1]!),
  'x',
  {
    atMost: 1,
  },
)
