// Files whose letters stand so that rules of the scan take long: by the CPU time that the server itself counts.
import { randomBytes } from 'node:crypto'
import { type Attack, hold, holdEach } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { automation } from './things.ts'

const MEGABYTE = 1_048_576
/** Of a file of 3 MB: one rule may take 3,000. Without windows and a budget for each rule one of newlines took 8,700. */
const MOST_MILLISECONDS = 6_000

/** So that no archive is refused for what it unpacks to. */
const NOISE = randomBytes(24_000).toString('base64')

const shapes: Record<string, string> = {
  newlines: '\n',
  'newlines of Windows': '\r\n',
  spaces: ' ',
  'one letter': 'a',
  'open brackets': '(',
  'open comments': '<!--',
  'beginnings of a key': '-----BEGIN ',
  quotes: '"',
  'base64 without an end': 'QUFB',
  'beginnings of a download': 'curl http://a.b/c -o d; ',
}

/** CPU milliseconds that were counted for an account. */
async function usedBy(target: Target, { id }: Person): Promise<number> {
  const rows = await target.own.query(`select count from "rateLimit" where key like ?`, `work:account:%:${id}`)
  return Math.max(0, ...rows.map(({ count }) => Number(count)))
}

export const shapesOfFiles: Attack[] = [
  {
    name: 'a scan has an end in CPU time for 3 MB of newlines, and of other shapes',
    clause: '3 stopping',
    limited: true,
    needs: ['networks', 'newcomers', 'mail', 'load'],
    async run(target) {
      let worst = ['', 0] as [string, number]
      const seen = await holdEach(Object.keys(shapes), String, async (name) => {
        const person = await target.verified()
        const shape = shapes[name] ?? ''
        const data = shape.repeat(Math.floor((3 * MEGABYTE) / shape.length)) + NOISE
        const content = automation([{ name: 'run.sh', data }], 'harbor-shape')
        await person.api.library.scanFile({ kind: 'automation', file: content })
        const used = await usedBy(target, person)
        hold(used > 0, 'nothing was counted')
        if (used > worst[1]) worst = [name, used]
        hold(used <= MOST_MILLISECONDS, `${used} ms of CPU`)
      })
      return `${seen}; the most took ${worst[0]}: ${worst[1]} ms of CPU`
    },
  },
]
