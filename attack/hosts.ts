// The Host of a request, written so that a library takes part of it for the path.
import { type Attack, hold, holdEach } from './attack.ts'
import { statusOf } from './request.ts'

/** A Host that goes on as a target; its name in ASCII is as long as all of it, which is all that a library compared. */
function sideways(target: string): string {
  const whole = target.padEnd(Math.ceil(target.length / 6) * 6, 'x')
  return Array.from({ length: whole.length / 6 }, () => '\u00fc').join('.') + whole
}

const CACHED = '/api/community/bugs?n='

export const hosts: Attack[] = [
  {
    name: 'a Host that goes on like a path chooses no route, and its answer is kept for nobody',
    clause: 'http',
    async run(target) {
      const own = new URL(target.origin).host
      const expected = (await target.send({ path: `${CACHED}0` })).text
      let count = 0
      const values = [
        ...['/api/community/feed?', '\\api\\community\\feed?', '/api/community/feed#', '/healthz?'].map(sideways),
        `${own}/api/community/feed?`,
        `${own}\\healthz?`,
        `user@${own}`,
        `${own}, ${own}`,
        `${own}\r\nHost: ${sideways('/healthz?')}`,
        `[::1]${sideways('/healthz?')}`,
      ]
      return holdEach(values, String, async (value) => {
        // What was never asked for is in no cache.
        const path = `${CACHED}${++count}`
        const request = `GET ${path} HTTP/1.1\r\nHost: ${value}\r\nConnection: close\r\n\r\n`
        const received = await target.bytes(Buffer.from(request, 'latin1'))
        hold(statusOf(received) === 400 || statusOf(received) === 0, `answered with ${statusOf(received)}`)
        const after = await target.send({ path })
        hold(after.text === expected, `the next reader got ${after.text.slice(0, 100)}`)
      })
    },
  },
]
