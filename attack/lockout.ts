// Threat 11: lockout by others, and guessing.
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import { AGENT } from './oauth-client.ts'
import { freshEmail, freshPassword, type Person } from './person.ts'

const LOCKOUT = '11 lockout'

const wrongPasswords = async (browser: Person, count: number): Promise<number[]> => {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await browser.signIn('not the password')).status)
  return statuses
}

export const lockout: Attack[] = [
  {
    name: 'wrong passwords of an attacker lock the attacker out, not the owner',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const attacker = owner.elsewhere(target.network())
      const statuses = await wrongPasswords(attacker, 12)
      hold(
        statuses.slice(0, 10).every((status) => status === 401),
        `the first ten: ${statuses}`,
      )
      hold(statuses.at(-1) === 429, `the twelfth wrong password: ${statuses.at(-1)}`)
      holdStatus(await attacker.signIn(), [429], 'the right one from there')
      holdStatus(await owner.elsewhere(target.network()).signIn(), [200], 'the owner from another network')
      return 'ten tries, then 429 for that network alone'
    },
  },
  {
    name: 'a browser that signed in before is counted apart from others of its network',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const attacker = owner.elsewhere(owner.network)
      await wrongPasswords(attacker, 12)
      await owner.post('/api/auth/sign-out', {})
      hold(owner.cookies.size > 0, 'nothing of the browser is left after sign-out that could tell it apart')
      holdStatus(await owner.signIn(), [200], 'the browser of the owner, from the same network')
      const thief = owner.elsewhere(target.network())
      const other = await target.newcomer()
      for (const [name, value] of owner.cookies) other.cookies.set(name, value)
      Object.assign(other, { email: thief.email })
      return 'the owner signs in while the neighbour is out'
    },
  },
  {
    name: 'a port behind a forwarded address, or another spelling, is not another network',
    clause: '14 text',
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const network = target.network()!
      const spellings = (n: number) =>
        [`${network}:${1_000 + n}`, `${network}`, `::ffff:${network}`, `9.9.9.${n}, ${network}:${n + 1}`][n % 4]!
      let last = 0
      for (let n = 0; n < 14; n++) last = (await owner.elsewhere(spellings(n)).signIn('not the password')).status
      hold(last === 429, `the 14th wrong password: ${last}`)
      return 'counted as one network'
    },
  },
  {
    name: 'one address cannot try one password at accounts without end',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'load'],
    async run(target) {
      const network = target.network()!
      const attempt = (n: number) =>
        target.anonymous(network).post('/api/auth/sign-in/email', {
          email: freshEmail(`spray${n}`),
          password: 'Summer2026!',
        })
      const statuses: number[] = []
      for (let round = 0; round < 5; round++) {
        const replies = await Promise.all(Array.from({ length: 15 }, (_, n) => attempt(round * 15 + n)))
        statuses.push(...replies.map(({ status }) => status))
      }
      const tried = statuses.filter((status) => status === 401).length
      hold(tried <= 60, `${tried} of ${statuses.length} were tried`)
      return `${tried} of ${statuses.length} were tried`
    },
  },
  {
    name: 'X-Forwarded-For of a caller counts for nothing without a proxy',
    clause: LOCKOUT,
    needs: ['files'],
    async run(target) {
      const reply = await target.send({
        path: '/metrics',
        headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
      })
      hold(reply.status !== 200, 'metrics for a forged address')
      return `${reply.status}`
    },
  },
  {
    name: 'requests for codes by an attacker do not keep the owner from theirs',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers', 'mail'],
    async run(target) {
      const owner = await target.verified()
      const network = target.network()
      for (let n = 0; n < 8; n++)
        await target.anonymous(network).post('/api/auth/sign-in/code/verify', { email: owner.email, code: '000000' })
      const browser = owner.elsewhere(target.network())
      const seen = await target.codesMailed(owner.email)
      holdStatus(await browser.post('/api/auth/sign-in/code', { email: owner.email }), [200], 'a code for the owner')
      const code = await target.code(owner.email, { after: seen })
      holdStatus(
        await browser.post('/api/auth/sign-in/code/verify', { email: owner.email, code }),
        [200],
        'the owner with it',
      )
      return 'the owner signs in'
    },
  },
  {
    name: 'wrong tries and requests of strangers end no code of the browser that asked for it',
    clause: LOCKOUT,
    limited: true,
    needs: ['networks', 'newcomers', 'mail'],
    async run(target) {
      const owner = await target.verified()
      const seen = await target.codesMailed(owner.email)
      holdStatus(await owner.post('/api/auth/forgot-password', { email: owner.email }), [200], 'a code for the owner')
      const code = await target.code(owner.email, { after: seen })
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
      const reset = { email: owner.email, password: freshPassword() }
      for (let n = 0; n < 12; n++) {
        const stranger = target.anonymous(target.network())
        await stranger.post('/api/auth/reset-password', { ...reset, code: wrong })
        await stranger.post('/api/auth/sign-in/code', { email: owner.email })
      }
      holdStatus(await owner.post('/api/auth/reset-password', { ...reset, code }), [200], 'the owner with it')
      return 'the owner gets in'
    },
  },
  {
    name: 'the answer to a wrong code tells nothing of the name of an account',
    clause: LOCKOUT,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const { name } = ((await owner.get('/api/auth/get-session')).json()?.['user'] ?? {}) as { name?: string }
      hold(name, 'the newcomer has no name')
      const given = { code: '000000', password: name.padEnd(8, '!') }
      const [known, other] = [
        await target.anonymous().post('/api/auth/reset-password', { email: owner.email, ...given }),
        await target.anonymous().post('/api/auth/reset-password', { email: freshEmail('unknown'), ...given }),
      ]
      hold(known.status === other.status && known.text === other.text, `${shown(known)} and ${shown(other)}`)
      return `${known.status} for both`
    },
  },
  {
    name: 'a code takes five tries, also when they come at once',
    clause: LOCKOUT,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const owner = await target.newcomer()
      const seen = await target.codesMailed(owner.email)
      await target
        .anonymous()
        .post('/api/auth/agent/claim', { email: owner.email, client_id: AGENT, scope: 'community:read' })
      const code = await target.code(owner.email, { after: seen })
      const guess = (n: number) => String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0')
      const verify = (tried: string) =>
        target.anonymous().post('/api/auth/agent/claim/verify', { email: owner.email, code: tried, client_id: AGENT })
      await Promise.all(Array.from({ length: 30 }, (_, n) => verify(guess(n))))
      const reply = await verify(code)
      holdStatus(reply, [400, 429], 'the right code after 30 wrong ones')
      return 'the code is dead'
    },
  },
  {
    name: 'one code signs in once, also when it comes twenty times at once',
    clause: LOCKOUT,
    needs: ['newcomers', 'mail'],
    async run(target) {
      const owner = await target.verified()
      const seen = await target.codesMailed(owner.email)
      await target.anonymous().post('/api/auth/sign-in/code', { email: owner.email })
      const code = await target.code(owner.email, { after: seen })
      const replies = await Promise.all(
        Array.from({ length: 20 }, () =>
          target.anonymous().post('/api/auth/sign-in/code/verify', { email: owner.email, code }),
        ),
      )
      const accepted = replies.filter(({ status }) => status === 200).length
      hold(accepted === 1, `${accepted} sessions for one code`)
      return 'one session'
    },
  },
  {
    name: 'an unknown address and a wrong password look the same',
    clause: LOCKOUT,
    needs: ['accounts'],
    async run(target) {
      const { email } = await target.member('alice')
      const unknown = freshEmail('unknown')
      const paths: [string, object][] = [
        ['/api/auth/sign-in/email', { password: 'not the password' }],
        ['/api/auth/sign-in/code', {}],
        ['/api/auth/forgot-password', {}],
        ['/api/auth/sign-in/code/verify', { code: '000000' }],
        ['/api/auth/agent/claim/verify', { code: '000000', client_id: AGENT }],
        ['/api/auth/reset-password', { code: '000000', password: freshPassword() }],
      ]
      return holdEach(
        paths,
        ([path]) => path,
        async ([path, body]) => {
          const [known, other] = [
            await target.anonymous().post(path, { email, ...body }),
            await target.anonymous().post(path, { email: unknown, ...body }),
          ]
          // Each request for a code has an id of its own.
          const [one, two] = [known, other].map(({ text }) => text.replace(/"requestId":"[\w-]{43}"/, ''))
          hold(known.status === other.status && one === two, `${shown(known)} and ${shown(other)}`)
        },
      )
    },
  },
]
